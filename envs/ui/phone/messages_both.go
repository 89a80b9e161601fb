package phone

import "marlpit/envs/ui"

var _ = add[sendBoth](ui.Template{
	Name: "messages-both", Summary: "send two people the same message", Apps: []string{"messages"},
	Kind: ui.Several, Level: 2, MaxTurns: 26,
})

// sendBoth asks to write to two people.
type sendBoth struct {
	Names [2]string
	Body  string
	mended
}

// Setup implements ui.Job.
func (a *sendBoth) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Contacts.People, 2)
	a.Names, a.Body = [2]string{two[0].Name, two[1].Name}, ui.Pick(t.Rand, errands)
	t.Say("Send both "+a.Names[0]+" and "+a.Names[1]+" this message, one by one: "+a.Body,
		a.Names[0]+" and "+a.Names[1]+" should each get a message from me: "+a.Body)
	t.Offer(a.Body, a.Names[0], a.Names[1])
}

// Want implements ui.Wanter.
func (a *sendBoth) Want(p *Phone) {
	for _, n := range a.Names {
		p.Messages.send(p, p.Contacts.named(n).Number, a.Body)
	}
}
