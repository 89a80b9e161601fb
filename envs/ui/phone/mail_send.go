package phone

import "marlpit/envs/ui"

var _ = add[sendMail](ui.Template{
	Name: "mail-send", Summary: "send a mail to one of the contacts", Apps: []string{"mail"},
	Kind: ui.Create, Level: 2, MaxTurns: 18,
})

// sendMail asks for a new mail.
type sendMail struct {
	To, Subject, Body string
	mended
}

// Setup implements ui.Job.
func (a *sendMail) Setup(p *Phone, t *ui.Task) {
	who := ui.Pick(t.Rand, p.Contacts.People)
	text := ui.Draw(t.Rand, smallTalk, 2)
	a.To, a.Subject, a.Body = who.Mail, "About "+text[0][0], text[1][1]
	t.Say("Send a mail to "+who.Name+" with the subject \""+a.Subject+"\" and the text \""+a.Body+"\".",
		"Write to "+who.Name+" by mail. Subject: "+a.Subject+". Text: \""+a.Body+"\"",
		"Mail \""+a.Body+"\" to "+who.Name+", under the subject \""+a.Subject+"\".")
	t.Offer(a.To, a.Subject, a.Body, text[0][1], text[1][0])
}

// Want implements ui.Wanter.
func (a *sendMail) Want(p *Phone) {
	p.Mail.sent(p, Letter{To: a.To, Subject: a.Subject, Body: a.Body})
}

// sent puts a letter among those sent now.
func (a *Mail) sent(p *Phone, l Letter) {
	l.Folder, l.From, l.Day, l.Minute = boxes[1], myAddress, p.Today, p.Now
	a.put(l)
}
