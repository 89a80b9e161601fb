package phone

import "marlpit/envs/ui"

var _ = add[deleteEvent](ui.Template{
	Name: "calendar-delete", Summary: "delete an event", Apps: []string{"calendar"},
	Kind: ui.Delete, Level: 1, MaxTurns: 14,
})

// deleteEvent asks to take an event out.
type deleteEvent struct {
	Title string
	mended
}

// Setup implements ui.Job.
func (a *deleteEvent) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Calendar.Events)
	a.Title = e.Title
	day := ui.Date(e.Day)
	t.Say("Delete \""+a.Title+"\" on "+day+" from the calendar.", "\""+a.Title+"\", planned for "+day+", is off. Remove the event.",
		"I won't go to \""+a.Title+"\" on "+day+". Take it out of my calendar.")
	t.Offer(a.Title, day)
}

// Want implements ui.Wanter.
func (a *deleteEvent) Want(p *Phone) { p.Calendar.drop(p.Calendar.titled(a.Title).ID) }
