package web

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[mailPage, mailDelete](ui.Template{
	Name: "mail-delete", Summary: "delete the mail of a subject", Apps: []string{"mail"},
	Kind: ui.Delete, Level: 1, MaxTurns: 8, Easy: true,
})

// mailDelete asks to delete one mail.
type mailDelete struct{ Subject string }

// Setup implements ui.Job.
func (j *mailDelete) Setup(s *mailPage, t *ui.Task) {
	m := ui.Pick(t.Rand, s.Mails)
	j.Subject = m.Subject
	t.Say("Delete the mail "+quoted(j.Subject)+".", "Get rid of the mail from "+m.From+" about "+quoted(j.Subject)+".")
}

// Want implements ui.Wanter.
func (j *mailDelete) Want(s *mailPage) {
	s.Mails = slices.DeleteFunc(s.Mails, func(m mail) bool { return m.Subject == j.Subject })
}

// Solve implements ui.Job.
func (j *mailDelete) Solve(s *mailPage, x *ui.Pilot) {
	if s.openMail(x, j.Subject) {
		x.Tap("delete", 0)
	}
}
