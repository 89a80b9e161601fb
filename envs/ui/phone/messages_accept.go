package phone

import "marlpit/envs/ui"

var _ = add[acceptAndReply](ui.Template{
	Name: "messages-accept", Summary: "put an invitation into the calendar and answer it", Apps: []string{"messages", "calendar"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 36,
})

// acceptAndReply asks for an event whose date stands in a message, and for a
// reply, which is written where the message is read.
type acceptAndReply struct {
	Number, Body string
	Event        Event
	mended
}

// Setup implements ui.Job.
func (a *acceptAndReply) Setup(p *Phone, t *ui.Task) {
	r := t.Rand
	a.Event = Event{Title: fresh(t, eventTitles, p.Calendar.has), Day: p.Today + 1 + r.Intn(25), Minute: 480 + 5*r.Intn(130),
		Length: 60, Remind: reminders[0]}
	a.Number, a.Body = drawNumbers(r, p, 1)[0], ui.Pick(r, []string{"I will be there.", "Gladly, see you then.", "Count me in."})
	day, at := ui.Date(a.Event.Day), ui.Clock(a.Event.Minute)
	p.Messages.receive(p, a.Number, "Are you free for "+a.Event.Title+"? It is on "+day+", "+at+".")
	name := p.Contacts.nameOf(a.Number)
	t.Say(name+" asks whether I am free for "+a.Event.Title+". I am: add it to the calendar, one hour and without a place, and reply \""+a.Body+"\"",
		"Accept the invitation of "+name+": reply \""+a.Body+"\" and put \""+a.Event.Title+"\" (1 hour, no place) into the calendar at the time the message gives.")
	t.Offer(a.Event.Title, a.Body, day, at, p.Calendar.Events[0].Title, name)
}

// Want implements ui.Wanter.
func (a *acceptAndReply) Want(p *Phone) {
	p.Calendar.put(a.Event)
	p.Messages.send(p, a.Number, a.Body)
}
