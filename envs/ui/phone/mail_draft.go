package phone

import "marlpit/envs/ui"

var _ = add[sendDraft](ui.Template{
	Name: "mail-draft", Summary: "address a saved draft and send it", Apps: []string{"mail"},
	Kind: ui.Edit, Level: 2, MaxTurns: 16, HeldOut: true,
})

// sendDraft asks for a draft to be addressed and sent.
type sendDraft struct {
	Draft int
	To    string
	mended
}

// Setup implements ui.Job.
func (a *sendDraft) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, smallTalk, 2)
	for i, s := range two {
		id := p.Mail.put(Letter{Folder: boxes[2], From: myAddress, Subject: "Idea: " + s[0], Body: s[1], Day: p.Today - 2, Minute: 600 + i, Read: true})
		if i == 0 {
			a.Draft = id
		}
	}
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.To = who.Mail
	t.Say("Among the drafts there is a mail \"Idea: "+two[0][0]+"\". Address it to "+who.Name+" and send it.",
		"Send the draft \"Idea: "+two[0][0]+"\" to "+who.Name+". Its text is ready.")
	t.Offer(a.To, ui.Pick(t.Rand, p.Contacts.People).Mail)
}

// Want implements ui.Wanter.
func (a *sendDraft) Want(p *Phone) {
	l := *p.Mail.letter(a.Draft)
	l.To = a.To
	p.Mail.remove(a.Draft)
	p.Mail.sent(p, l)
}
