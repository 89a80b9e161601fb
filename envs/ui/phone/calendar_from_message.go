package phone

import "marlpit/envs/ui"

var _ = add[acceptInvitation](ui.Template{
	Name: "calendar-from-message", Summary: "put an invitation from a message into the calendar", Apps: []string{"messages", "calendar"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 30,
})

// acceptInvitation asks for an event whose date stands in a message.
type acceptInvitation struct {
	Number string
	Event  Event
}

// Setup implements ui.Job.
func (a *acceptInvitation) Setup(p *Phone, t *ui.Task) {
	r := t.Rand
	a.Event = Event{Title: fresh(t, eventTitles, p.Calendar.has), Place: ui.Pick(r, places), Day: p.Today + 1 + r.Intn(25),
		Minute: 480 + 5*r.Intn(130), Length: 60, Remind: reminders[0]}
	e := &a.Event
	a.Number = drawNumbers(r, p, 1)[0]
	p.Messages.receive(p, a.Number, "Will you come to the "+e.Title+" on "+ui.Date(e.Day)+"?")
	p.Messages.receive(p, a.Number, "It starts at "+ui.Clock(e.Minute)+", "+e.Place+".")
	name := p.Contacts.nameOf(a.Number)
	t.Say(name+" invited me to the "+e.Title+" by message. Add it to the calendar under that title, with its place, for one hour.",
		"Read when and where "+name+" wants me to come to the "+e.Title+", and make an event of that title: right day, start and place, 1 hour.")
	other := fresh(t, places, func(s string) bool { return s == e.Place })
	t.Offer(e.Title, e.Place, other, p.Calendar.Events[0].Title, name)
}

// Want implements ui.Wanter.
func (a *acceptInvitation) Want(p *Phone) { p.Calendar.put(a.Event) }

// Solve implements ui.Job.
func (a *acceptInvitation) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Calendar
	if repaired(p, x, &p.Messages) && !c.has(a.Event.Title) && c.Screen != "edit" && !p.Messages.shows(a.Number) && p.Messages.look(p, x, a.Number) {
		return
	}
	finish(p, x)
}
