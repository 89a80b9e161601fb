package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[whereFile](ui.Template{
	Name: "files-where", Summary: "say in which folder a file is, and how large", Apps: []string{"files"},
	Kind: ui.Find, Level: 1, MaxTurns: 12, Easy: true,
})

// whereFile asks for a file's folder and size.
type whereFile struct {
	ID     int
	Answer string
}

// Setup implements ui.Job.
func (a *whereFile) Setup(p *Phone, t *ui.Task) {
	n, other := p.Files.some(t), p.Files.some(t)
	size := strconv.Itoa(n.Size)
	a.ID, a.Answer = n.ID, n.Folder+", "+size+" kB"
	t.Say("In which folder is the file \""+n.Name+"\", and how large is it? Answer with folder and size in kB.",
		"Find "+n.Name+" and tell me its folder and its size in kB.")
	t.Answer("folder", n.Folder)
	t.Answer("size", size+" kB", size)
	wrong := fresh(t, fileFolders, func(s string) bool { return s == n.Folder })
	t.Offer(n.Name, a.Answer, wrong+", "+size+" kB", other.Folder+", "+strconv.Itoa(n.Size+100)+" kB", n.Folder+", "+strconv.Itoa(n.Size*10)+" kB")
}

// Solve implements ui.Job.
func (a *whereFile) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Files; {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case p.Shown != "files":
		x.Open("files")
	case k.show(x, k.node(a.ID)):
		x.Answer(a.Answer)
	}
}
