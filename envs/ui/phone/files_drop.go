package phone

import "marlpit/envs/ui"

var _ = add[dropFolder](ui.Template{
	Name: "files-drop-folder", Summary: "delete a folder, saving one file in it", Apps: []string{"files"},
	Kind: ui.Delete, Level: 3, MaxTurns: 24, HeldOut: true,
})

// dropFolder asks for one file to be moved out of a folder, and the folder to be deleted.
type dropFolder struct {
	Folder, Keep, To string
	mended
}

// Setup implements ui.Job.
func (a *dropFolder) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, fileFolders, 2)
	a.Folder, a.To = two[0], two[1]
	for a.Keep == "" || p.Files.file(a.Keep).Folder != a.Folder {
		a.Keep = p.Files.some(t).Name
	}
	t.Say("Move "+a.Keep+" from "+a.Folder+" to "+a.To+", then delete the folder "+a.Folder+" with all that is left in it.",
		"I want to be rid of the folder "+a.Folder+", except for "+a.Keep+" in it: that goes to "+a.To+" first.")
	t.Offer(a.Keep, a.Folder, a.To)
}

// Want implements ui.Wanter.
func (a *dropFolder) Want(p *Phone) {
	p.Files.file(a.Keep).Folder = a.To
	p.Files.remove(p.Files.folder(a.Folder).ID)
}
