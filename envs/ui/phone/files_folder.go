package phone

import "marlpit/envs/ui"

var _ = add[fileAway](ui.Template{
	Name: "files-folder", Summary: "make a folder and move two files into it", Apps: []string{"files"},
	Kind: ui.Several, Level: 3, MaxTurns: 36,
})

// fileAway asks for a new folder with two files in it.
type fileAway struct {
	Folder string
	Names  [2]string
	mended
}

// Setup implements ui.Job.
func (a *fileAway) Setup(p *Phone, t *ui.Task) {
	a.Folder = ui.Pick(t.Rand, newFolders)
	a.Names[0] = p.Files.some(t).Name
	for a.Names[1] == "" || a.Names[1] == a.Names[0] {
		a.Names[1] = p.Files.some(t).Name
	}
	from0, from1 := p.Files.file(a.Names[0]).Folder, p.Files.file(a.Names[1]).Folder
	t.Say("Create a folder \""+a.Folder+"\" in the storage, and move "+a.Names[0]+" (in "+from0+") and "+a.Names[1]+" (in "+from1+") into it.",
		"Make a new folder called "+a.Folder+" in the storage. Then move two files there: "+a.Names[0]+" from "+from0+", and "+
			a.Names[1]+" from "+from1+".")
	t.Offer(a.Folder, ui.Pick(t.Rand, newFolders), a.Names[0], a.Names[1])
}

// Want implements ui.Wanter.
func (a *fileAway) Want(p *Phone) {
	p.Files.put(Node{Name: a.Folder, Dir: true, Day: p.Today})
	for _, n := range a.Names {
		p.Files.file(n).Folder = a.Folder
	}
}
