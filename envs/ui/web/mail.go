package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// mailPage is a mailbox. Starring, deleting and sending end the episode.
type mailPage struct {
	Base
	Mails   []mail
	Sent    []outgoing
	Open    int      `ui:"view"` // the mail being read from 1, 0 for none
	Picking bool     `ui:"view"` // the list has boxes to delete several
	Writing bool     `ui:"view"` // an answer or a copy of the open mail is being written
	Draft   outgoing `ui:"view"`
}

// mail is a message that came in.
type mail struct {
	From, Subject, Text string
	Starred             bool
	Picked              bool `ui:"view"`
}

// outgoing is a message that goes out.
type outgoing struct {
	Kind     string // "Reply" or "Forward"
	To, Text string
	Subject  string
}

// mailSubjects are what mails are about.
var mailSubjects = []string{"Locker", "Garden party", "Broken lamp", "Parking", "Choir practice", "Invoice", "Lost umbrella",
	"Ferry tickets", "Book club", "New carpet", "Holiday photos", "Piano lesson"}

func (s *mailPage) fill(r *envs.Rand) {
	*s = mailPage{}
	from := fullNames(r, 4)
	for i, subject := range ui.Draw(r, mailSubjects, 9) {
		sender := from[i%len(from)]
		if i >= len(from) {
			sender = ui.Pick(r, from)
		}
		s.Mails = append(s.Mails, mail{From: sender, Subject: subject,
			Text: "Hello, the number for this is " + strconv.Itoa(1000+r.Intn(9000)) + ". " + ui.Pick(r, sentences)})
	}
	r.Shuffle(len(s.Mails), func(i, k int) { s.Mails[i], s.Mails[k] = s.Mails[k], s.Mails[i] })
}

// App implements ui.Sim.
func (s *mailPage) App() string { return "mail" }

// View implements ui.Sim.
func (s *mailPage) View(b *ui.Builder) {
	if !within(s.Open-1, len(s.Mails)) {
		s.viewList(b)
		return
	}
	m := &s.Mails[s.Open-1]
	if s.Writing {
		b.Heading(b.Cat(s.Draft.Kind, ": ", m.Subject))
		b.Field("to", 0, "To", s.Draft.To)
		b.Field("text", 0, "Text", s.Draft.Text)
		b.Row(2)
		b.Button("send", 0, "Send")
		b.Button("discard", 0, "Discard")
		return
	}
	b.Heading(m.Subject)
	b.Label(b.Cat("From ", m.From))
	b.Label(m.Text)
	b.Row(2)
	b.Button("reply", 0, "Reply")
	b.Button("forward", 0, "Forward")
	b.Row(2)
	if m.Starred {
		b.Button("star", 0, "Remove star")
	} else {
		b.Button("star", 0, "Add star")
	}
	b.Button("delete", 0, "Delete")
	b.Link("inbox", 0, "Inbox")
}

// viewList shows the mails, with boxes while some are picked.
func (s *mailPage) viewList(b *ui.Builder) {
	b.Heading("Inbox")
	b.Row(2)
	if s.Picking {
		b.Button("deletepicked", 0, "Delete selected")
		b.Button("pick", 0, "Cancel")
	} else {
		b.Button("pick", 0, "Select")
		b.Label(b.Cat(b.Int(len(s.Mails)), " mails"))
	}
	b.Scroll("inbox", 0)
	for i := range s.Mails {
		m := &s.Mails[i]
		switch {
		case s.Picking:
			b.Check("picked", i, b.Cat(m.From, ": ", m.Subject), m.Picked)
		case m.Starred:
			b.Item("mail", i, m.Subject, b.Cat(m.From, ", starred"))
		default:
			b.Item("mail", i, m.Subject, m.From)
		}
	}
	b.End()
}

// at is the place of the mail with a subject, or -1.
func (s *mailPage) at(subject string) int {
	for i := range s.Mails {
		if s.Mails[i].Subject == subject {
			return i
		}
	}
	return -1
}
