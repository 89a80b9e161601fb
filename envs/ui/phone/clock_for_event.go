package phone

import "marlpit/envs/ui"

var _ = add[alarmForEvent](ui.Template{
	Name: "clock-for-event", Summary: "set an alarm for the time at which an event starts", Apps: []string{"calendar", "clock"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 26,
})

// alarmForEvent asks for an alarm whose time stands in the calendar.
type alarmForEvent struct {
	Title  string
	Minute int
}

// Setup implements ui.Job.
func (a *alarmForEvent) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Calendar.Events, 2)
	a.Title, a.Minute = two[0].Title, two[0].Minute
	t.Say("Set an alarm for the time at which \""+a.Title+"\" starts, with the title of the event as its label.",
		"When does \""+a.Title+"\" start? Let the clock ring once at that time; label the alarm \""+a.Title+"\".")
	t.Offer(a.Title, two[1].Title, ui.Clock(a.Minute))
}

// Want implements ui.Wanter.
func (a *alarmForEvent) Want(p *Phone) {
	p.Clock.put(Alarm{Minute: a.Minute, Label: a.Title, On: true})
}

// Solve implements ui.Job.
func (a *alarmForEvent) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Calendar) && p.Clock.labelled(a.Title) == nil && p.Clock.Screen != "alarm" && !p.Calendar.shows(a.Title) && p.Calendar.look(p, x, a.Title) {
		return
	}
	finish(p, x)
}
