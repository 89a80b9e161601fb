package phone

import "marlpit/envs/ui"

var _ = add[moveAlarm](ui.Template{
	Name: "clock-alarm-move", Summary: "let an alarm ring at another time", Apps: []string{"clock"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// moveAlarm asks for another time of an alarm.
type moveAlarm struct {
	Label  string
	Minute int
	mended
}

// Setup implements ui.Job.
func (a *moveAlarm) Setup(p *Phone, t *ui.Task) {
	k := ui.Pick(t.Rand, p.Clock.Alarms)
	a.Label, a.Minute = k.Label, p.Clock.freeMinute(t.Rand)
	was, at := ui.Clock(k.Minute), ui.Clock(a.Minute)
	t.Say("Move the alarm \""+a.Label+"\" from "+was+" to "+at+".",
		"The alarm \""+a.Label+"\" should ring at "+at+" instead of "+was+".",
		"Change the "+was+" alarm, \""+a.Label+"\", to "+at+".")
	t.Offer(at, was, a.Label)
}

// Want implements ui.Wanter.
func (a *moveAlarm) Want(p *Phone) {
	p.Clock.labelled(a.Label).Minute = a.Minute
	p.Clock.sort()
}
