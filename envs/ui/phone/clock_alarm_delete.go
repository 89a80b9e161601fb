package phone

import "marlpit/envs/ui"

var _ = add[deleteAlarm](ui.Template{
	Name: "clock-alarm-delete", Summary: "delete an alarm", Apps: []string{"clock"},
	Kind: ui.Delete, Level: 1, MaxTurns: 10,
})

// deleteAlarm asks to take an alarm out.
type deleteAlarm struct {
	Label string
	mended
}

// Setup implements ui.Job.
func (a *deleteAlarm) Setup(p *Phone, t *ui.Task) {
	k := ui.Pick(t.Rand, p.Clock.Alarms)
	a.Label = k.Label
	at := ui.Clock(k.Minute)
	t.Say("Delete the alarm at "+at+".", "I don't need the "+at+" alarm any more. Remove it for good.",
		"Remove the alarm \""+a.Label+"\".")
	t.Offer(at, a.Label)
}

// Want implements ui.Wanter.
func (a *deleteAlarm) Want(p *Phone) { p.Clock.dropAlarm(p.Clock.labelled(a.Label).ID) }
