package phone

import "marlpit/envs/ui"

var _ = add[retitleNote](ui.Template{
	Name: "notes-retitle", Summary: "give a note another title", Apps: []string{"notes"},
	Kind: ui.Edit, Level: 1, MaxTurns: 12, HeldOut: true,
})

// retitleNote asks for another title.
type retitleNote struct {
	Title, To string
	mended
}

// Setup implements ui.Job.
func (a *retitleNote) Setup(p *Phone, t *ui.Task) {
	a.Title = ui.Pick(t.Rand, p.Notes.Notes).Title
	a.To = fresh(t, noteTitles, p.Notes.has)
	t.Say("Rename the note \""+a.Title+"\" to \""+a.To+"\".", "The note \""+a.Title+"\" needs another title: \""+a.To+"\".")
	t.Offer(a.To, a.Title)
}

// Want implements ui.Wanter.
func (a *retitleNote) Want(p *Phone) { p.Notes.titled(a.Title).Title = a.To }
