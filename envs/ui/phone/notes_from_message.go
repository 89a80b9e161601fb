package phone

import "marlpit/envs/ui"

var _ = add[listFromMessage](ui.Template{
	Name: "notes-from-message", Summary: "put what somebody asks for on a list", Apps: []string{"messages", "notes"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// listFromMessage asks for entries of a list that stand in a message.
type listFromMessage struct {
	Number, Title string
	Entries       [2]string
}

// Setup implements ui.Job.
func (a *listFromMessage) Setup(p *Phone, t *ui.Task) {
	k := p.Notes.pickList(t)
	four := ui.Draw(t.Rand, listEntries, len(listEntries))
	n := 0
	for _, s := range four { // those that aren't on the list come first
		if k.named(s) == nil {
			four[n] = s
			n++
		}
	}
	a.Title, a.Entries, a.Number = k.Title, [2]string{four[0], four[1]}, drawNumbers(t.Rand, p, 1)[0]
	p.Messages.receive(p, a.Number, "We still need "+four[0]+" and "+four[1]+".")
	name := p.Contacts.nameOf(a.Number)
	t.Say(name+" wrote what we still need. Add both things to the list \""+a.Title+"\" in my notes.",
		"Read the last message of "+name+" and put the two things in it on the list \""+a.Title+"\", one entry each.")
	t.Offer(four[:4]...)
	t.Offer(name, a.Title)
}

// Want implements ui.Wanter.
func (a *listFromMessage) Want(p *Phone) {
	for _, s := range a.Entries {
		p.Notes.enter(p.Notes.titled(a.Title), s)
	}
}

// Solve implements ui.Job: once the first entry is there, or typed, the message has been read.
func (a *listFromMessage) Solve(p *Phone, x *ui.Pilot) {
	k := p.Notes.titled(a.Title)
	read := k == nil || k.named(a.Entries[0]) != nil || k.named(a.Entries[1]) != nil ||
		p.Notes.Entry == a.Entries[0] || p.Notes.Entry == a.Entries[1] || p.Messages.shows(a.Number)
	if repaired(p, x, &p.Messages) && !read && p.Messages.look(p, x, a.Number) {
		return
	}
	finish(p, x)
}
