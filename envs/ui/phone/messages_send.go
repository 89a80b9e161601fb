package phone

import "marlpit/envs/ui"

var _ = add[sendMessage](ui.Template{
	Name: "messages-send", Summary: "send somebody a message", Apps: []string{"messages"},
	Kind: ui.Create, Level: 1, MaxTurns: 14,
})

// errands are what people ask each other for.
var errands = []string{"Please water the plants.", "Can you feed the cat?", "Bring the blue folder, please.", "I am ten minutes late.",
	"Let us meet at the fountain.", "The meeting room has changed.", "Don't forget the candles.", "Your parcel is with me.",
	"I have the tickets.", "Please call the plumber.", "We start without you.", "The key is under the mat."}

// sendMessage asks to write to somebody.
type sendMessage struct {
	Name, Body string
	mended
}

// Setup implements ui.Job.
func (a *sendMessage) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, errands, 2)
	a.Name, a.Body = ui.Pick(t.Rand, p.Contacts.People).Name, two[0]
	t.Say("Send "+a.Name+" this message: "+a.Body, "Write to "+a.Name+": "+a.Body,
		"Text \""+a.Body+"\" to "+a.Name+".")
	t.Offer(a.Body, two[1], a.Name)
}

// Want implements ui.Wanter.
func (a *sendMessage) Want(p *Phone) {
	p.Messages.send(p, p.Contacts.named(a.Name).Number, a.Body)
}
