package phone

import "marlpit/envs/ui"

var _ = add[pinNote](ui.Template{
	Name: "notes-pin", Summary: "pin one note in place of another", Apps: []string{"notes"},
	Kind: ui.Setting, Level: 2, MaxTurns: 16,
})

// pinNote asks for another pinned note.
type pinNote struct {
	Off, On string
	mended
}

// Setup implements ui.Job.
func (a *pinNote) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Notes.Notes, 2)
	a.Off, a.On = two[0].Title, two[1].Title
	p.Notes.titled(a.Off).Pinned = true
	t.Say("Pin the note \""+a.On+"\" and unpin \""+a.Off+"\".",
		"The note on top of my list should be \""+a.On+"\" instead of \""+a.Off+"\": pin the one, unpin the other.")
	t.Offer(a.On, a.Off)
}

// Want implements ui.Wanter.
func (a *pinNote) Want(p *Phone) {
	p.Notes.titled(a.Off).Pinned, p.Notes.titled(a.On).Pinned = false, true
}
