package phone

import "marlpit/envs/ui"

var _ = add[addNote](ui.Template{
	Name: "notes-add", Summary: "write a note in a folder", Apps: []string{"notes"},
	Kind: ui.Create, Level: 1, MaxTurns: 16,
})

// addNote asks for a new note.
type addNote struct {
	Note NoteDraft
	mended
}

// Setup implements ui.Job.
func (a *addNote) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, noteBodies, 2)
	a.Note = NoteDraft{fresh(t, noteTitles, p.Notes.has), two[0], ui.Pick(t.Rand, noteFolders)}
	n := &a.Note
	t.Say("Write a note titled \""+n.Title+"\" in the folder "+n.Folder+". Its text: "+n.Body,
		"New note in "+n.Folder+", title \""+n.Title+"\", text \""+n.Body+"\"")
	t.Offer(n.Title, n.Body, two[1], p.Notes.Notes[0].Title)
}

// Want implements ui.Wanter.
func (a *addNote) Want(p *Phone) { p.Notes.put(a.Note) }
