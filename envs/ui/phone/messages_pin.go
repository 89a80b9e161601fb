package phone

import "marlpit/envs/ui"

var _ = add[pinThread](ui.Template{
	Name: "messages-pin", Summary: "pin one conversation and mute another", Apps: []string{"messages"},
	Kind: ui.Setting, Level: 2, MaxTurns: 16,
})

// pinThread asks for marks on two conversations.
type pinThread struct {
	Pin, Mute string // numbers
	mended
}

// Setup implements ui.Job.
func (a *pinThread) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Messages.Threads, 2)
	a.Pin, a.Mute = two[0].Number, two[1].Number
	pin, mute := p.Contacts.nameOf(a.Pin), p.Contacts.nameOf(a.Mute)
	t.Say("Pin the conversation with "+pin+" and mute the one with "+mute+".",
		"Messages: "+pin+" should stay on top, pinned, and "+mute+" should be muted.")
	t.Offer(pin, mute)
}

// Want implements ui.Wanter.
func (a *pinThread) Want(p *Phone) {
	p.Messages.thread(a.Pin).Pinned = true
	p.Messages.thread(a.Mute).Muted = true
}
