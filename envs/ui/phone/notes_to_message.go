package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[sendNote](ui.Template{
	Name: "notes-to-message", Summary: "send somebody the text of a note", Apps: []string{"notes", "messages"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 20,
})

// sendNote asks to send on what a note says.
type sendNote struct{ Title, Body, Number string }

// Setup implements ui.Job.
func (a *sendNote) Setup(p *Phone, t *ui.Task) {
	words := ui.Draw(t.Rand, []string{"maple", "otter", "violet", "harbor", "comet", "walnut"}, 3)
	for i := range words {
		words[i] += strconv.Itoa(10 + t.Rand.Intn(90))
	}
	two := ui.Draw(t.Rand, []string{"Guest wifi", "Studio wifi", "Cabin wifi"}, 2)
	for i, title := range two {
		p.Notes.put(NoteDraft{title, words[i], noteFolders[t.Rand.Intn(2)]})
	}
	a.Title, a.Body, a.Number = two[0], words[0], drawNumbers(t.Rand, p, 1)[0]
	name := p.Contacts.nameOf(a.Number)
	t.Say("The note \""+a.Title+"\" holds a password. Send it to "+name+", just the password.",
		name+" wants to get online. Send a message with the text of my note \""+a.Title+"\", and nothing more.")
	t.Offer(words...)
	t.Offer(a.Title, name)
}

// Want implements ui.Wanter.
func (a *sendNote) Want(p *Phone) { p.Messages.send(p, a.Number, a.Body) }

// Solve implements ui.Job.
func (a *sendNote) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Notes) && p.Messages.Draft != a.Body && p.Messages.lacks(x, a.Number) && !p.Notes.shows(a.Title) && p.Notes.look(p, x, a.Title) {
		return
	}
	finish(p, x)
}
