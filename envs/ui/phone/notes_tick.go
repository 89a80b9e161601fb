package phone

import "marlpit/envs/ui"

var _ = add[tickEntries](ui.Template{
	Name: "notes-tick", Summary: "tick two entries of a list", Apps: []string{"notes"},
	Kind: ui.Several, Level: 1, MaxTurns: 10,
})

// tickEntries asks to tick entries of a note's list.
type tickEntries struct {
	Title   string
	Entries [2]string
	mended
}

// pickList draws a note that has a list.
func (n *Notes) pickList(t *ui.Task) *Note {
	for {
		if k := &n.Notes[t.Rand.Intn(len(n.Notes))]; len(k.Entries) > 0 {
			return k
		}
	}
}

// Setup implements ui.Job.
func (a *tickEntries) Setup(p *Phone, t *ui.Task) {
	k := p.Notes.pickList(t)
	a.Title = k.Title
	for i, e := range ui.Draw(t.Rand, k.Entries, 2) {
		a.Entries[i] = e.Text
		k.named(e.Text).Done = false
	}
	t.Say("In the note \""+a.Title+"\", tick "+a.Entries[0]+" and "+a.Entries[1]+".",
		"I have got "+a.Entries[0]+" and "+a.Entries[1]+". Tick them on the list \""+a.Title+"\".")
	t.Offer(a.Title, a.Entries[0], a.Entries[1])
}

// Want implements ui.Wanter.
func (a *tickEntries) Want(p *Phone) {
	for _, s := range a.Entries {
		p.Notes.titled(a.Title).named(s).Done = true
	}
}
