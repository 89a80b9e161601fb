package phone

import "marlpit/envs/ui"

var _ = add[deleteMail](ui.Template{
	Name: "mail-delete", Summary: "move a mail to the trash", Apps: []string{"mail"},
	Kind: ui.Delete, Level: 1, MaxTurns: 10,
})

// deleteMail asks for a mail to be deleted.
type deleteMail struct {
	Letter int
	mended
}

// Setup implements ui.Job.
func (a *deleteMail) Setup(p *Phone, t *ui.Task) {
	l := p.Mail.some(t)
	a.Letter = l.ID
	t.Say("Delete the mail \""+l.Subject+"\" from the inbox.",
		"Move the mail with the subject "+l.Subject+" to the trash.")
	t.Offer(l.Subject, p.Mail.some(t).Subject)
}

// Want implements ui.Wanter.
func (a *deleteMail) Want(p *Phone) { p.Mail.letter(a.Letter).Folder = boxes[4] }
