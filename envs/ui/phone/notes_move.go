package phone

import "marlpit/envs/ui"

var _ = add[moveNote](ui.Template{
	Name: "notes-move", Summary: "move a note to another folder", Apps: []string{"notes"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// moveNote asks for another folder.
type moveNote struct {
	Title, Folder string
	mended
}

// Setup implements ui.Job.
func (a *moveNote) Setup(p *Phone, t *ui.Task) {
	k := ui.Pick(t.Rand, p.Notes.Notes)
	a.Title = k.Title
	a.Folder = fresh(t, noteFolders, func(s string) bool { return s == k.Folder })
	t.Say("Move the note \""+a.Title+"\" to the folder "+a.Folder+".", "\""+a.Title+"\" belongs into my "+a.Folder+" notes. Move it there.")
	t.Offer(a.Title)
}

// Want implements ui.Wanter.
func (a *moveNote) Want(p *Phone) { p.Notes.titled(a.Title).Folder = a.Folder }
