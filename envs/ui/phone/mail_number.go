package phone

import "marlpit/envs/ui"

var _ = add[mailNumber](ui.Template{
	Name: "mail-number", Summary: "mail somebody the number of somebody else", Apps: []string{"mail", "contacts"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 26, HeldOut: true,
})

// mailNumber asks for a reply that gives a contact's number.
type mailNumber struct {
	Letter     int
	Of, Number string
}

// Setup implements ui.Job.
func (a *mailNumber) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Contacts.People, 2)
	a.Of, a.Number = two[1].Name, two[1].Number
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: two[0].Mail, To: myAddress, Subject: "A number",
		Body: "Do you have the phone number of " + a.Of + "?", Day: p.Today, Minute: 7*60 + t.Rand.Intn(50)})
	t.Say("In the mail \"A number\", "+two[0].Name+" asks for the phone number of "+a.Of+". Reply with the number and nothing else.",
		two[0].Name+" wants to call "+a.Of+": look the number up in the contacts, and send it as the reply to the mail \"A number\".")
	t.Offer(a.Number, two[0].Number, p.Contacts.freeNumber(t.Rand), a.Of)
}

// Want implements ui.Wanter.
func (a *mailNumber) Want(p *Phone) {
	l := p.Mail.letter(a.Letter)
	p.Mail.sent(p, Letter{To: l.From, Prefix: "Re: ", Subject: l.Subject, Body: a.Number})
}

// Solve implements ui.Job.
func (a *mailNumber) Solve(p *Phone, x *ui.Pilot) {
	started := p.Mail.has(p, "A number") || p.Contacts.shows(a.Of)
	if started || !repaired(p, x, &p.Contacts) || !p.Contacts.look(p, x, a.Of) {
		finish(p, x)
	}
}
