package phone

import "marlpit/envs/ui"

var _ = add[moveEvent](ui.Template{
	Name: "calendar-move", Summary: "move an event to another day and time", Apps: []string{"calendar"},
	Kind: ui.Edit, Level: 2, MaxTurns: 22,
})

// moveEvent asks for another date of an event.
type moveEvent struct {
	Title       string
	Day, Minute int
	mended
}

// Setup implements ui.Job.
func (a *moveEvent) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Calendar.Events)
	a.Title, a.Day, a.Minute = e.Title, p.Today+1+t.Rand.Intn(25), 480+5*t.Rand.Intn(130)
	if a.Day == e.Day {
		a.Day++
	}
	day, at := ui.Date(a.Day), ui.Clock(a.Minute)
	t.Say("Move the event \""+a.Title+"\" to "+day+" at "+at+".",
		a.Title+" has been put off: it is on "+day+" now, at "+at+". Correct the calendar.")
	t.Offer(a.Title, day, at)
}

// Want implements ui.Wanter.
func (a *moveEvent) Want(p *Phone) {
	e := p.Calendar.titled(a.Title)
	e.Day, e.Minute = a.Day, a.Minute
	p.Calendar.sort()
}
