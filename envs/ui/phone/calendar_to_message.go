package phone

import "marlpit/envs/ui"

var _ = add[tellPlace](ui.Template{
	Name: "calendar-to-message", Summary: "send somebody the place of an event", Apps: []string{"calendar", "messages"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 22, HeldOut: true,
})

// tellPlace asks to send on where an event is.
type tellPlace struct{ Title, Place, Number string }

// Setup implements ui.Job.
func (a *tellPlace) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Calendar.Events)
	a.Title, a.Place, a.Number = e.Title, e.Place, drawNumbers(t.Rand, p, 1)[0]
	name := p.Contacts.nameOf(a.Number)
	t.Say(name+" asks where \""+a.Title+"\" is. Send the place as the calendar has it, nothing more.",
		"Send "+name+" a message that says only the place of \""+a.Title+"\".")
	t.Offer(name, a.Title)
	t.Offer(ui.Draw(t.Rand, places, 4)...)
	if index(t.Texts, a.Place) < 0 {
		t.Offer(a.Place)
	}
}

// Want implements ui.Wanter.
func (a *tellPlace) Want(p *Phone) { p.Messages.send(p, a.Number, a.Place) }

// Solve implements ui.Job.
func (a *tellPlace) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Calendar) && p.Messages.Draft != a.Place && p.Messages.lacks(x, a.Number) && !p.Calendar.shows(a.Title) && p.Calendar.look(p, x, a.Title) {
		return
	}
	finish(p, x)
}
