package phone

import "marlpit/envs/ui"

var _ = add[keepSender](ui.Template{
	Name: "mail-contact", Summary: "make a contact of who signed a mail", Apps: []string{"mail", "contacts"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// keepSender asks for a contact with the number and the address of a mail.
type keepSender struct {
	Letter       int
	Name, Number string
}

// Setup implements ui.Job.
func (a *keepSender) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Number = p.Contacts.freeName(t.Rand), p.Contacts.freeNumber(t.Rand)
	text := ui.Pick(t.Rand, smallTalk)
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: mailOf(a.Name), To: myAddress, Subject: "Hello again",
		Body: text[1] + " Yours, " + a.Name + ", " + a.Number, Day: p.Today, Minute: 7*60 + t.Rand.Intn(50)})
	t.Say("Somebody who isn't among my contacts wrote me the mail \"Hello again\" and signed it. Add "+a.Name+" with number and mail address.",
		"Save "+a.Name+" as a contact: the number stands below the mail \"Hello again\", the address is the sender's.")
	t.Offer(a.Name, a.Number, mailOf(a.Name), p.Contacts.People[0].Number, p.Contacts.People[1].Mail)
}

// Want implements ui.Wanter.
func (a *keepSender) Want(p *Phone) {
	p.Contacts.put(Person{Name: a.Name, Number: a.Number, Mail: mailOf(a.Name)})
}

// Solve implements ui.Job.
func (a *keepSender) Solve(p *Phone, x *ui.Pilot) {
	if p.Contacts.named(a.Name) != nil || readFirst(p, x, a.Letter) {
		finish(p, x)
	}
}
