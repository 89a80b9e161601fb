package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[mailPage, mailReply](ui.Template{
	Name: "mail-reply", Summary: "answer a mail with given words", Apps: []string{"mail"},
	Kind: ui.Create, Level: 2, MaxTurns: 12,
})

// wantedMail is a mail to send about one that came in.
type wantedMail struct{ Mail outgoing }

// Want implements ui.Wanter.
func (j *wantedMail) Want(s *mailPage) { s.Sent = append(s.Sent, j.Mail) }

// Solve implements ui.Job.
func (j *wantedMail) Solve(s *mailPage, x *ui.Pilot) {
	if !s.Writing || s.Draft.Kind != j.Mail.Kind || s.Draft.Subject != j.Mail.Subject {
		if s.openMail(x, j.Mail.Subject) && j.Mail.Kind == "Reply" {
			x.Tap("reply", 0)
		}
		x.Tap("forward", 0)
		return
	}
	if s.Draft.To != j.Mail.To {
		x.Type("to", 0, j.Mail.To)
	}
	if s.Draft.Text != j.Mail.Text {
		x.Type("text", 0, j.Mail.Text)
	}
	x.Tap("send", 0)
}

// senders are four of those who wrote, the first of them the given one.
func (s *mailPage) senders(r *envs.Rand, first string) []string {
	out := []string{first}
	for _, m := range s.Mails {
		known := false
		for _, o := range out {
			known = known || o == m.From
		}
		if !known {
			out = append(out, m.From)
		}
	}
	for _, extra := range fullNames(r, 8) {
		if len(out) < 4 && extra != first {
			out = append(out, extra)
		}
	}
	return out[:4]
}

// mailReply asks for an answer to one mail.
type mailReply struct{ wantedMail }

// Setup implements ui.Job.
func (j *mailReply) Setup(s *mailPage, t *ui.Task) {
	m := ui.Pick(t.Rand, s.Mails)
	words := ui.Draw(t.Rand, []string{"Yes, gladly.", "No, thank you.", "See you there.", "I will call you.", "Where is it?", "Well done!"}, 4)
	j.Mail = outgoing{Kind: "Reply", To: m.From, Subject: m.Subject, Text: words[0]}
	t.Say("Reply to the mail "+quoted(m.Subject)+" with the text "+quoted(words[0]),
		"Answer "+m.From+" on "+quoted(m.Subject)+" with these words: "+quoted(words[0]))
	t.Offer(words...)
	t.Offer(s.senders(t.Rand, m.From)...)
}
