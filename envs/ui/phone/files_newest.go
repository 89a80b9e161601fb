package phone

import "marlpit/envs/ui"

var _ = add[newest](ui.Template{
	Name: "files-newest", Summary: "name the newest file of a folder", Apps: []string{"files"},
	Kind: ui.Find, Level: 2, MaxTurns: 14, Easy: true,
})

// newest asks for the file of a folder that was changed last.
type newest struct{ Folder, Name string }

// Setup implements ui.Job.
func (a *newest) Setup(p *Phone, t *ui.Task) {
	n := p.Files.some(t)
	a.Folder, a.Name = n.Folder, n.Name
	n.Day = p.Today
	for i := range p.Files.Nodes {
		if m := &p.Files.Nodes[i]; m.Folder == a.Folder && m.Name != a.Name {
			m.Day = min(m.Day, p.Today-1)
		}
	}
	t.Say("Which file in "+a.Folder+" was changed last? Answer with its name.",
		"Tell me the name of the newest file in the folder "+a.Folder+".")
	t.Answer("name", a.Name)
	t.Offer(ui.Draw(t.Rand, fileNames[a.Folder], 4)...)
	t.Offer(a.Name)
}

// Solve implements ui.Job.
func (a *newest) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Files; {
	case mend(p, x):
	case x.Answered() == a.Name:
		x.Complete()
	case p.Shown != "files":
		x.Open("files")
	case k.Screen == "sort":
		x.Tap("by", 1)
	case !k.at(x, a.Folder):
	case k.Sort != "date":
		x.Tap("order", 0)
	default:
		x.Answer(a.Name)
	}
}
