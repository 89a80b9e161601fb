package phone

import "marlpit/envs/ui"

var _ = add[mailedEvent](ui.Template{
	Name: "mail-event", Summary: "put an invitation from a mail into the calendar", Apps: []string{"mail", "calendar"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 36,
})

// mailedEvent asks for an event whose day, time and place stand in a mail.
type mailedEvent struct {
	Letter int
	Event
}

// Setup implements ui.Job.
func (a *mailedEvent) Setup(p *Phone, t *ui.Task) {
	a.Event = Event{Title: fresh(t, eventTitles, p.Calendar.has), Place: ui.Pick(t.Rand, places), Day: p.Today + 1 + t.Rand.Intn(25),
		Minute: 8*60 + 15*t.Rand.Intn(44), Length: 60, Remind: reminders[0]}
	e := &a.Event
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: who.Mail, To: myAddress, Subject: "Invitation: " + e.Title,
		Body: "We meet on " + ui.Date(e.Day) + " at " + ui.Clock(e.Minute) + ". Place: " + e.Place + ".", Day: p.Today - 1, Minute: 600})
	t.Say(who.Name+" has sent an invitation by mail. Put it into my calendar as \""+e.Title+"\", with day, time and place, for one hour.",
		"Add the event \""+e.Title+"\" to the calendar, one hour long. When and where stands in a mail from "+who.Name+".")
	other := fresh(t, places, func(s string) bool { return s == e.Place })
	t.Offer(e.Title, e.Place, other, ui.Clock(e.Minute), ui.Date(e.Day))
}

// Want implements ui.Wanter.
func (a *mailedEvent) Want(p *Phone) { p.Calendar.put(a.Event) }

// Solve implements ui.Job.
func (a *mailedEvent) Solve(p *Phone, x *ui.Pilot) {
	if p.Calendar.has(a.Title) || readFirst(p, x, a.Letter) {
		finish(p, x)
	}
}
