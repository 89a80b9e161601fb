package phone

import "marlpit/envs/ui"

var _ = add[tellNumber](ui.Template{
	Name: "messages-number-of", Summary: "send somebody another person's number", Apps: []string{"contacts", "messages"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 20,
})

// tellNumber asks to send a number out of the contacts to somebody.
type tellNumber struct{ Whose, Number, To string }

// Setup implements ui.Job.
func (a *tellNumber) Setup(p *Phone, t *ui.Task) {
	four := ui.Draw(t.Rand, p.Contacts.People, 4)
	a.Whose, a.Number, a.To = four[0].Name, four[0].Number, four[1].Number
	t.Say("Send "+four[1].Name+" a message with the phone number of "+a.Whose+" and nothing else.",
		four[1].Name+" needs the number of "+a.Whose+". Look it up and send just the number.")
	t.Offer(a.Number, four[2].Number, four[3].Number, a.Whose, four[1].Name)
}

// Want implements ui.Wanter.
func (a *tellNumber) Want(p *Phone) { p.Messages.send(p, a.To, a.Number) }

// Solve implements ui.Job.
func (a *tellNumber) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Contacts) && p.Messages.Draft != a.Number && p.Messages.lacks(x, a.To) && !p.Contacts.shows(a.Whose) && p.Contacts.look(p, x, a.Whose) {
		return
	}
	finish(p, x)
}
