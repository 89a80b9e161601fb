package phone

import "marlpit/envs/ui"

var _ = add[missingFile](ui.Template{
	Name: "files-missing", Summary: "move a file that isn't there", Apps: []string{"files"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 8, Easy: true,
})

// missingFile asks for a file to be moved that doesn't exist.
type missingFile struct{ Name string }

// Setup implements ui.Job.
func (a *missingFile) Setup(p *Phone, t *ui.Task) {
	from, to := ui.Pick(t.Rand, fileFolders), ui.Pick(t.Rand, fileFolders)
	a.Name = fresh(t, fileNames[from], func(s string) bool { return p.Files.file(s) != nil })
	t.Say("Move the file \""+a.Name+"\" to the folder "+to+".",
		"Find "+a.Name+" and put it into "+to+".")
	t.Offer(a.Name, to)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingFile) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Files; {
	case mend(p, x):
	case p.Shown != "files":
		x.Open("files")
	case k.Screen != "":
		x.Back()
	case k.Search != a.Name:
		x.Type("search", 0, a.Name)
	default:
		x.Infeasible()
	}
}
