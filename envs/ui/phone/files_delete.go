package phone

import "marlpit/envs/ui"

var _ = add[deleteFile](ui.Template{
	Name: "files-delete", Summary: "delete a file, wherever it is", Apps: []string{"files"},
	Kind: ui.Delete, Level: 1, MaxTurns: 14,
})

// deleteFile asks for a file to be deleted without saying where it is.
type deleteFile struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *deleteFile) Setup(p *Phone, t *ui.Task) {
	a.Name = p.Files.some(t).Name
	t.Say("Delete the file \""+a.Name+"\".",
		"I don't need "+a.Name+" any more. Find it among my files and delete it.")
	t.Offer(a.Name, p.Files.some(t).Name)
}

// Want implements ui.Wanter.
func (a *deleteFile) Want(p *Phone) { p.Files.remove(p.Files.file(a.Name).ID) }
