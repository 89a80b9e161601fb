package phone

import "marlpit/envs/ui"

var _ = add[addAlarm](ui.Template{
	Name: "clock-alarm-add", Summary: "set an alarm with a label", Apps: []string{"clock"},
	Kind: ui.Create, Level: 1, MaxTurns: 18,
})

// addAlarm asks for a new alarm.
type addAlarm struct {
	Minute int
	Label  string
	mended
}

// Setup implements ui.Job.
func (a *addAlarm) Setup(p *Phone, t *ui.Task) {
	a.Minute = p.Clock.freeMinute(t.Rand)
	a.Label = fresh(t, alarmLabels, func(s string) bool { return p.Clock.labelled(s) != nil })
	at := ui.Clock(a.Minute)
	t.Say("Set an alarm for "+at+" with the label \""+a.Label+"\".",
		"Wake me once at "+at+"; call the alarm \""+a.Label+"\".",
		"I need a new alarm, \""+a.Label+"\", at "+at+".")
	t.Offer(a.Label, at, p.Clock.Alarms[0].Label)
}

// Want implements ui.Wanter.
func (a *addAlarm) Want(p *Phone) { p.Clock.put(Alarm{Minute: a.Minute, Label: a.Label, On: true}) }
