package phone

import "marlpit/envs/ui"

var _ = add[copyFile](ui.Template{
	Name: "files-copy", Summary: "copy a file to another folder", Apps: []string{"files"},
	Kind: ui.Create, Level: 2, MaxTurns: 16, HeldOut: true,
})

// copyFile asks for a copy.
type copyFile struct {
	Name, To string
	mended
}

// Setup implements ui.Job.
func (a *copyFile) Setup(p *Phone, t *ui.Task) {
	n := p.Files.some(t)
	a.Name = n.Name
	a.To = fresh(t, fileFolders, func(s string) bool { return s == n.Folder })
	t.Say("Copy the file \""+a.Name+"\" to the folder "+a.To+", and leave the original where it is.",
		"I want "+a.Name+" in "+a.To+" as well as in "+n.Folder+".")
	t.Offer(a.Name, a.To)
}

// Want implements ui.Wanter.
func (a *copyFile) Want(p *Phone) {
	n := *p.Files.file(a.Name)
	n.Folder = a.To
	p.Files.put(n)
}
