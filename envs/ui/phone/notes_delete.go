package phone

import "marlpit/envs/ui"

var _ = add[deleteNotes](ui.Template{
	Name: "notes-delete", Summary: "delete two notes", Apps: []string{"notes"},
	Kind: ui.Delete, Level: 2, MaxTurns: 18,
})

// deleteNotes asks to take two notes out.
type deleteNotes struct {
	Titles [2]string
	mended
}

// Setup implements ui.Job.
func (a *deleteNotes) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Notes.Notes, 2)
	a.Titles = [2]string{two[0].Title, two[1].Title}
	t.Say("Delete the notes \""+a.Titles[0]+"\" and \""+a.Titles[1]+"\".",
		"Two notes can go: \""+a.Titles[0]+"\" and \""+a.Titles[1]+"\". Delete both.")
	t.Offer(a.Titles[0], a.Titles[1])
}

// Want implements ui.Wanter.
func (a *deleteNotes) Want(p *Phone) {
	for _, s := range a.Titles {
		p.Notes.drop(p.Notes.titled(s).ID)
	}
}
