package phone

import "marlpit/envs/ui"

var _ = add[forwardMail](ui.Template{
	Name: "mail-forward", Summary: "forward a mail to one of the contacts", Apps: []string{"mail"},
	Kind: ui.Create, Level: 2, MaxTurns: 14,
})

// forwardMail asks for a mail to be passed on as it is.
type forwardMail struct {
	Letter int
	To     string
	mended
}

// Setup implements ui.Job.
func (a *forwardMail) Setup(p *Phone, t *ui.Task) {
	l, who := p.Mail.some(t), ui.Pick(t.Rand, p.Contacts.People)
	a.Letter, a.To = l.ID, who.Mail
	t.Say("Forward the mail \""+l.Subject+"\" to "+who.Name+", without changing its text.",
		who.Name+" should read the mail \""+l.Subject+"\" too. Forward it as it is.")
	t.Offer(a.To, ui.Pick(t.Rand, p.Contacts.People).Mail, l.Subject)
}

// Want implements ui.Wanter.
func (a *forwardMail) Want(p *Phone) {
	l := p.Mail.letter(a.Letter)
	p.Mail.sent(p, Letter{To: a.To, Prefix: "Fwd: ", Subject: l.Subject, Body: l.Body})
}
