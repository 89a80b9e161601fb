package web

import "marlpit/envs/ui"

var _ = add[mailPage, mailTell](ui.Template{
	Name: "mail-number", Summary: "look up a number in a mail, and who sent it", Apps: []string{"mail"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true,
})

// mailTell asks for the number and the sender of a mail.
type mailTell struct{ Subject, Number, From string }

// Setup implements ui.Job.
func (j *mailTell) Setup(s *mailPage, t *ui.Task) {
	mails := ui.Draw(t.Rand, s.Mails, 4)
	j.Subject, j.Number, j.From = mails[0].Subject, mailNumber(&mails[0]), mails[0].From
	t.Answer("number", j.Number)
	t.Answer("sender", j.From)
	for _, m := range mails {
		offer(t, mailNumber(&m)+", "+m.From, j.Number+", "+m.From)
	}
	t.Say("Which number stands in the mail "+quoted(j.Subject)+", and who sent it? Answer with the number, a comma and the name.",
		"Look into the mail "+quoted(j.Subject)+" and answer with its number and its sender.")
}

// Solve implements ui.Job.
func (j *mailTell) Solve(s *mailPage, x *ui.Pilot) {
	if x.Answered() == j.Number+", "+j.From {
		x.Complete()
	}
	if s.openMail(x, j.Subject) {
		x.Answer(j.Number + ", " + j.From)
	}
}
