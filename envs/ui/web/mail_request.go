package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[mailPage, mailRequest](ui.Template{
	Name: "mail-request", Summary: "read what a mail asks for in another mail, and answer it", Apps: []string{"mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 16,
})

// mailRequest asks to answer a mail's question with the number that another mail has.
type mailRequest struct {
	wantedMail
	Seen string // the subject of the mail that has the number
}

// Setup implements ui.Job.
func (j *mailRequest) Setup(s *mailPage, t *ui.Task) {
	order := ui.Draw(t.Rand, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, 6)
	asks, has := &s.Mails[order[0]], &s.Mails[order[1]]
	j.Seen = has.Subject
	asks.Subject, asks.Text = "A question", "Hello, which number is it for "+quoted(has.Subject)+"? Just the number, please."
	j.Mail = outgoing{Kind: "Reply", To: asks.From, Subject: asks.Subject, Text: mailNumber(has)}
	for _, i := range order[1:] {
		t.Offer(mailNumber(&s.Mails[i]))
	}
	t.Say("Answer the mail "+quoted("A question")+" from "+asks.From+": it asks for a number that another mail has. Reply with the number alone.",
		asks.From+" has "+quoted("A question")+" about one of the other mails. Reply with nothing but what is asked for.")
}

// mailNumber is the number that a mail tells.
func mailNumber(m *mail) string {
	_, rest, _ := strings.Cut(m.Text, "this is ")
	number, _, _ := strings.Cut(rest, ".")
	return number
}
