package web

import "marlpit/envs/ui"

var _ = add[mailPage, mailStar](ui.Template{
	Name: "mail-star", Summary: "give a mail a star", Apps: []string{"mail"},
	Kind: ui.Edit, Level: 1, MaxTurns: 8, Easy: true,
})

// mailStar asks for a star on one mail.
type mailStar struct{ Subject string }

// Setup implements ui.Job.
func (j *mailStar) Setup(s *mailPage, t *ui.Task) {
	j.Subject = ui.Pick(t.Rand, s.Mails).Subject
	t.Say("Give the mail "+quoted(j.Subject)+" a star.", "Star the mail about "+quoted(j.Subject)+".",
		"Mark "+quoted(j.Subject)+" in the inbox with a star.")
}

// Want implements ui.Wanter.
func (j *mailStar) Want(s *mailPage) { s.Mails[s.at(j.Subject)].Starred = true }

// Solve implements ui.Job.
func (j *mailStar) Solve(s *mailPage, x *ui.Pilot) {
	if s.openMail(x, j.Subject) {
		x.Tap("star", 0)
	}
}

// openMail gets to the mail of a subject, and says whether it is open.
func (s *mailPage) openMail(x *ui.Pilot, subject string) bool {
	at := s.at(subject)
	switch {
	case s.Writing:
		x.Tap("discard", 0)
	case s.Open == 0 && s.Picking:
		x.Tap("pick", 0)
	case s.Open == 0:
		x.Tap("mail", at)
	case s.Open != at+1:
		x.Tap("inbox", 0)
	}
	return s.Open == at+1 && !s.Writing
}
