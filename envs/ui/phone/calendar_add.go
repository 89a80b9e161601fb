package phone

import "marlpit/envs/ui"

var _ = add[addEvent](ui.Template{
	Name: "calendar-add", Summary: "put an event on a day at a time", Apps: []string{"calendar"},
	Kind: ui.Create, Level: 2, MaxTurns: 22,
})

// addEvent asks for a new event.
type addEvent struct {
	Title       string
	Day, Minute int
	mended
}

// Setup implements ui.Job.
func (a *addEvent) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, eventTitles, p.Calendar.has)
	a.Day, a.Minute = p.Today+1+t.Rand.Intn(25), 480+5*t.Rand.Intn(130)
	day, at := ui.Date(a.Day), ui.Clock(a.Minute)
	t.Say("Put \""+a.Title+"\" into the calendar for "+day+" at "+at+", one hour long.",
		"New event: "+a.Title+", "+day+", starting at "+at+", 1 hour.",
		"On "+day+" from "+at+" on I have "+a.Title+" for an hour. Add it to the calendar.")
	t.Offer(a.Title, p.Calendar.Events[0].Title, day, at)
}

// Want implements ui.Wanter.
func (a *addEvent) Want(p *Phone) {
	p.Calendar.put(Event{Title: a.Title, Day: a.Day, Minute: a.Minute, Length: 60, Remind: reminders[0]})
}
