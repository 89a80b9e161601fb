package phone

import "marlpit/envs/ui"

var _ = add[deleteThread](ui.Template{
	Name: "messages-delete", Summary: "delete a conversation", Apps: []string{"messages"},
	Kind: ui.Delete, Level: 1, MaxTurns: 10,
})

// deleteThread asks to delete all that was written with somebody.
type deleteThread struct {
	Number string
	mended
}

// Setup implements ui.Job.
func (a *deleteThread) Setup(p *Phone, t *ui.Task) {
	a.Number = ui.Pick(t.Rand, p.Messages.Threads).Number
	name := p.Contacts.nameOf(a.Number)
	t.Say("Delete the conversation with "+name+".", "Remove all messages from and to "+name+".",
		"I don't want to keep the messages with "+name+". Delete them.")
	t.Offer(name)
}

// Want implements ui.Wanter.
func (a *deleteThread) Want(p *Phone) { p.Messages.dropThread(a.Number) }
