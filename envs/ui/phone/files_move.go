package phone

import "marlpit/envs/ui"

var _ = add[moveFile](ui.Template{
	Name: "files-move", Summary: "move a file to another folder", Apps: []string{"files"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// moveFile asks for a file to be moved.
type moveFile struct {
	Name, To string
	mended
}

// Setup implements ui.Job.
func (a *moveFile) Setup(p *Phone, t *ui.Task) {
	n := p.Files.some(t)
	a.Name = n.Name
	a.To = fresh(t, fileFolders, func(s string) bool { return s == n.Folder })
	t.Say("Move the file \""+a.Name+"\" from "+n.Folder+" to "+a.To+".",
		"The file "+a.Name+" is in "+n.Folder+", but belongs into "+a.To+". Move it there.",
		"Take "+a.Name+" out of the folder "+n.Folder+" and put it into "+a.To+".")
	t.Offer(a.Name, a.To)
}

// Want implements ui.Wanter.
func (a *moveFile) Want(p *Phone) { p.Files.file(a.Name).Folder = a.To }
