package phone

import "marlpit/envs/ui"

var _ = add[archiveFrom](ui.Template{
	Name: "mail-archive", Summary: "archive all mails in the inbox from one sender", Apps: []string{"mail"},
	Kind: ui.Several, Level: 2, MaxTurns: 24,
})

// archiveFrom asks for a sender's mails to be archived.
type archiveFrom struct {
	From string
	mended
}

// Setup implements ui.Job.
func (a *archiveFrom) Setup(p *Phone, t *ui.Task) {
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.From = who.Mail
	for range 3 {
		p.Mail.some(t).From = a.From
	}
	t.Say("Archive every mail in the inbox that came from "+who.Name+".",
		"I have dealt with all that "+who.Name+" wrote. Move those mails from the inbox to the archive.")
	t.Offer(a.From, who.Name)
}

// Want implements ui.Wanter.
func (a *archiveFrom) Want(p *Phone) {
	for i := range p.Mail.Letters {
		if l := &p.Mail.Letters[i]; l.Folder == boxes[0] && l.From == a.From {
			l.Folder = boxes[3]
		}
	}
}
