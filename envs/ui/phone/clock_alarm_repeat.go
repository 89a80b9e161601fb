package phone

import "marlpit/envs/ui"

var _ = add[repeatAlarm](ui.Template{
	Name: "clock-alarm-repeat", Summary: "set an alarm that rings on two weekdays", Apps: []string{"clock"},
	Kind: ui.Create, Level: 3, MaxTurns: 24, HeldOut: true,
})

// repeatAlarm asks for a new alarm that repeats.
type repeatAlarm struct {
	Alarm Alarm
	mended
}

// Setup implements ui.Job.
func (a *repeatAlarm) Setup(p *Phone, t *ui.Task) {
	label := fresh(t, alarmLabels, func(s string) bool { return p.Clock.labelled(s) != nil })
	a.Alarm = Alarm{Minute: p.Clock.freeMinute(t.Rand), Label: label, Vibrate: true, On: true}
	d := t.Rand.Intn(5)
	e := d + 1 + t.Rand.Intn(6-d)
	a.Alarm.Days[d], a.Alarm.Days[e] = true, true
	at, days := ui.Clock(a.Alarm.Minute), weekdays[d]+" and "+weekdays[e]
	t.Say("Set an alarm labelled \""+label+"\" for "+at+" on "+days+", with vibration.",
		"Every "+days+" at "+at+" the phone should ring and vibrate; name the alarm \""+label+"\".")
	t.Offer(label, at, p.Clock.Alarms[0].Label)
}

// Want implements ui.Wanter.
func (a *repeatAlarm) Want(p *Phone) { p.Clock.put(a.Alarm) }
