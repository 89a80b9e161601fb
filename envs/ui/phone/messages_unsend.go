package phone

import "marlpit/envs/ui"

var _ = add[deleteMessage](ui.Template{
	Name: "messages-unsend", Summary: "delete one message of a conversation", Apps: []string{"messages"},
	Kind: ui.Delete, Level: 2, MaxTurns: 10, HeldOut: true,
})

// deleteMessage asks to delete one message.
type deleteMessage struct {
	Number, Body string
	mended
}

// Setup implements ui.Job.
func (a *deleteMessage) Setup(p *Phone, t *ui.Task) {
	k := ui.Pick(t.Rand, p.Messages.Threads)
	a.Number, a.Body = k.Number, ui.Pick(t.Rand, k.Texts).Body
	name := p.Contacts.nameOf(a.Number)
	t.Say("Delete only the message \""+a.Body+"\" from the conversation with "+name+".",
		"Between "+name+" and me there is the message \""+a.Body+"\" Remove it and keep the rest.")
	t.Offer(name, a.Body)
}

// Want implements ui.Wanter.
func (a *deleteMessage) Want(p *Phone) {
	k := p.Messages.thread(a.Number)
	for i := range k.Texts {
		if k.Texts[i].Body == a.Body {
			p.Messages.dropText(k, k.Texts[i].ID)
			return
		}
	}
}
