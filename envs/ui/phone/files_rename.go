package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[renameFile](ui.Template{
	Name: "files-rename", Summary: "rename a file", Apps: []string{"files"},
	Kind: ui.Edit, Level: 1, MaxTurns: 16,
})

// renameFile asks for another name.
type renameFile struct {
	Old, New string
	mended
}

// some is any file.
func (a *Files) some(t *ui.Task) *Node {
	for {
		if n := &a.Nodes[t.Rand.Intn(len(a.Nodes))]; !n.Dir {
			return n
		}
	}
}

// ext is the ending of a file's name, with its dot.
func ext(name string) string { return name[strings.LastIndexByte(name, '.'):] }

// Setup implements ui.Job.
func (a *renameFile) Setup(p *Phone, t *ui.Task) {
	n := p.Files.some(t)
	stem := ui.Pick(t.Rand, []string{"final", "summer", "first-draft", "to-print", "new", "spare"})
	a.Old, a.New = n.Name, stem+ext(n.Name)
	t.Say("Rename the file \""+a.Old+"\" in "+n.Folder+" to \""+a.New+"\".",
		"The file "+a.Old+", which is in "+n.Folder+", should be called "+a.New+" from now on.")
	t.Offer(a.New, a.Old, stem, "old-"+a.Old)
}

// Want implements ui.Wanter.
func (a *renameFile) Want(p *Phone) { p.Files.rename(p.Files.file(a.Old), a.New) }
