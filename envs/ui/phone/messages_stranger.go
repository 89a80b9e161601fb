package phone

import "marlpit/envs/ui"

var _ = add[sendStranger](ui.Template{
	Name: "messages-stranger", Summary: "send a message to a number that isn't in the contacts", Apps: []string{"messages"},
	Kind: ui.Create, Level: 2, MaxTurns: 14, HeldOut: true,
})

// sendStranger asks to write to a number.
type sendStranger struct {
	Number, Body string
	mended
}

// Setup implements ui.Job.
func (a *sendStranger) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, errands, 2)
	a.Number, a.Body = p.Contacts.freeNumber(t.Rand), two[0]
	t.Say("Send the message \""+a.Body+"\" to the number "+a.Number+".",
		"Write to "+a.Number+", a number I haven't saved: "+a.Body)
	t.Offer(a.Number, a.Body, two[1], p.Contacts.People[0].Name)
}

// Want implements ui.Wanter.
func (a *sendStranger) Want(p *Phone) { p.Messages.send(p, a.Number, a.Body) }
