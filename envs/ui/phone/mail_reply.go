package phone

import "marlpit/envs/ui"

var _ = add[replyMail](ui.Template{
	Name: "mail-reply", Summary: "reply to a mail", Apps: []string{"mail"},
	Kind: ui.Create, Level: 1, MaxTurns: 14,
})

// replyMail asks for a reply.
type replyMail struct {
	Letter int
	Body   string
	mended
}

// shortReplies are short answers that fit anything.
var shortReplies = []string{"Yes, with pleasure.", "Sorry, I can't.", "Thanks a lot!", "Let me think about it.", "I'll call you tomorrow.", "Sounds good."}

// some is any letter in the inbox.
func (a *Mail) some(t *ui.Task) *Letter {
	for {
		if l := &a.Letters[t.Rand.Intn(len(a.Letters))]; l.Folder == boxes[0] {
			return l
		}
	}
}

// Setup implements ui.Job.
func (a *replyMail) Setup(p *Phone, t *ui.Task) {
	l := p.Mail.some(t)
	two := ui.Draw(t.Rand, shortReplies, 2)
	a.Letter, a.Body = l.ID, two[0]
	t.Say("Reply \""+a.Body+"\" to the mail \""+l.Subject+"\".",
		"Answer the mail with the subject "+l.Subject+": \""+a.Body+"\"",
		"There is a mail about \""+l.Subject+"\". Tell the sender in a reply: \""+a.Body+"\"")
	t.Offer(a.Body, two[1])
}

// Want implements ui.Wanter.
func (a *replyMail) Want(p *Phone) {
	l := p.Mail.letter(a.Letter)
	p.Mail.sent(p, Letter{To: l.From, Prefix: "Re: ", Subject: l.Subject, Body: a.Body})
}
