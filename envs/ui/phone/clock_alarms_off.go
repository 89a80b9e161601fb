package phone

import "marlpit/envs/ui"

var _ = add[silenceAlarms](ui.Template{
	Name: "clock-alarms-off", Summary: "turn off all alarms before a time", Apps: []string{"clock"},
	Kind: ui.Several, Level: 2, MaxTurns: 16,
})

// silenceAlarms asks to turn off the early alarms.
type silenceAlarms struct {
	Before int
	mended
}

// Setup implements ui.Job.
func (a *silenceAlarms) Setup(p *Phone, t *ui.Task) {
	c := &p.Clock
	n := 2 + t.Rand.Intn(len(c.Alarms)-3) // alarms before the time
	for i := range c.Alarms {
		c.Alarms[i].On = i < 2 || c.Alarms[i].On
	}
	a.Before = c.Alarms[n].Minute
	at := ui.Clock(a.Before)
	t.Say("Turn off every alarm that rings before "+at+". Leave the others, and delete none.",
		"I want to sleep long: switch off all alarms earlier than "+at+", and no other.")
	t.Offer(at)
}

// Want implements ui.Wanter.
func (a *silenceAlarms) Want(p *Phone) {
	for i := range p.Clock.Alarms {
		if k := &p.Clock.Alarms[i]; k.Minute < a.Before {
			k.On = false
		}
	}
}
