package phone

import "marlpit/envs/ui"

var _ = add[starMail](ui.Template{
	Name: "mail-star", Summary: "star the newest mail of a sender", Apps: []string{"mail"},
	Kind: ui.Edit, Level: 2, MaxTurns: 12, HeldOut: true,
})

// starMail asks for the newest of a sender's mails to be starred.
type starMail struct {
	Letter int
	mended
}

// Setup implements ui.Job.
func (a *starMail) Setup(p *Phone, t *ui.Task) {
	who := ui.Pick(t.Rand, p.Contacts.People)
	for range 2 {
		p.Mail.some(t).From = who.Mail
	}
	var l *Letter
	for i := range p.Mail.Letters { // the newest comes first
		if m := &p.Mail.Letters[i]; m.Folder == boxes[0] && m.From == who.Mail && l == nil {
			l = m
		}
	}
	l.Day++ // so that no other is of the same day
	l.Starred = false
	a.Letter = l.ID
	p.Mail.sort()
	t.Say("Star the newest mail from "+who.Name+" in the inbox.",
		"Mark the last mail that "+who.Name+" sent with a star.")
	t.Offer(who.Mail, who.Name)
}

// Want implements ui.Wanter.
func (a *starMail) Want(p *Phone) { p.Mail.letter(a.Letter).Starred = true }
