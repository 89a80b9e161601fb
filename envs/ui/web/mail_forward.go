package web

import "marlpit/envs/ui"

var _ = add[mailPage, mailForward](ui.Template{
	Name: "mail-forward", Summary: "forward a mail to somebody", Apps: []string{"mail"},
	Kind: ui.Create, Level: 2, MaxTurns: 12,
})

// mailForward asks for a mail to be sent on.
type mailForward struct{ wantedMail }

// Setup implements ui.Job.
func (j *mailForward) Setup(s *mailPage, t *ui.Task) {
	m := ui.Pick(t.Rand, s.Mails)
	to := s.senders(t.Rand, m.From)
	j.Mail = outgoing{Kind: "Forward", To: to[1], Subject: m.Subject}
	t.Say("Forward the mail "+quoted(m.Subject)+" to "+to[1]+".", "Send "+m.From+"'s mail about "+quoted(m.Subject)+" on to "+to[1]+".",
		to[1]+" should get a copy of the mail "+quoted(m.Subject)+": forward it, without further words.")
	t.Offer(to...)
}
