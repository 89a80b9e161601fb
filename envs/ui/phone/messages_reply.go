package phone

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[replyMessage](ui.Template{
	Name: "messages-reply", Summary: "answer whoever asked a question", Apps: []string{"messages"},
	Kind: ui.Create, Level: 2, MaxTurns: 12,
})

// questions are what people are asked about, and how.
var questions = [][2]string{{"the ladder", "May I borrow your ladder?"}, {"dinner", "Do you want to have dinner with us?"},
	{"the bus", "When does your bus get in?"}, {"the drill", "Is the drill still at your place?"},
	{"the concert", "Are you going to the concert?"}, {"the printer", "How do I turn the printer on?"}}

// replies answer any of them.
var replies = []string{"Yes, of course.", "Sorry, not this week.", "Ask me again tomorrow.", "I will find out."}

// replyMessage asks to answer a question; who asked it has to be found out.
type replyMessage struct {
	Number, Body string
	mended
}

// Setup implements ui.Job.
func (a *replyMessage) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, questions, 2)
	askers := drawNumbers(t.Rand, p, 2)
	for i, q := range two {
		p.Messages.receive(p, askers[i], q[1])
	}
	a.Number, a.Body = askers[0], ui.Pick(t.Rand, replies)
	t.Say("Somebody asked me about "+two[0][0]+". Reply with: "+a.Body,
		"Answer the message about "+two[0][0]+" by writing \""+a.Body+"\"")
	t.Offer(a.Body, fresh(t, replies, func(s string) bool { return s == a.Body }), two[0][0])
}

// drawNumbers draws the numbers of people in the contacts.
func drawNumbers(r *envs.Rand, p *Phone, n int) []string {
	out := make([]string, n)
	for i, q := range ui.Draw(r, p.Contacts.People, n) {
		out[i] = q.Number
	}
	return out
}

// Want implements ui.Wanter.
func (a *replyMessage) Want(p *Phone) { p.Messages.send(p, a.Number, a.Body) }
