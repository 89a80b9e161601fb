package phone

import "marlpit/envs/ui"

var _ = add[findAlarm](ui.Template{
	Name: "clock-first", Summary: "tell the first alarm of those that are on", Apps: []string{"clock"},
	Kind: ui.Find, Level: 2, MaxTurns: 8, Easy: true, HeldOut: true,
})

// findAlarm asks which alarm rings first.
type findAlarm struct{ Answer string }

// Setup implements ui.Job.
func (a *findAlarm) Setup(p *Phone, t *ui.Task) {
	c := &p.Clock
	k := t.Rand.Intn(len(c.Alarms) - 1)
	for i := range c.Alarms {
		c.Alarms[i].On = i == k || i > k && c.Alarms[i].On
	}
	first := &c.Alarms[k]
	at := ui.Clock(first.Minute)
	a.Answer = at + ", " + first.Label
	after := ui.Pick(t.Rand, []string{"midnight", "two in the morning", "three in the morning", "four in the morning"})
	t.Say("After "+after+", which alarm that is switched on rings first? Answer with time, label.",
		"Tell me time and label of the earliest alarm after "+after+" that isn't off, with a comma between.")
	t.Answer("time", at)
	t.Answer("label", first.Label)
	for i := range c.Alarms {
		t.Offer(ui.Clock(c.Alarms[i].Minute) + ", " + c.Alarms[i].Label)
	}
}

// Solve implements ui.Job.
func (a *findAlarm) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case !away(p, x, "clock") && p.Clock.tab(x, 0, ""):
		x.Answer(a.Answer)
	}
}
