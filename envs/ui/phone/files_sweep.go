package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[sweep](ui.Template{
	Name: "files-sweep", Summary: "delete all files of a type in a folder", Apps: []string{"files"},
	Kind: ui.Several, Level: 2, MaxTurns: 26,
})

// sweep asks for all files of a type in one folder to be deleted.
type sweep struct {
	Folder, Type string
	mended
}

// Setup implements ui.Job.
func (a *sweep) Setup(p *Phone, t *ui.Task) {
	a.Folder = ui.Pick(t.Rand, fileFolders)
	a.Type = ui.Pick(t.Rand, []string{".tmp", ".log", ".bak"})
	names := ui.Draw(t.Rand, []string{"session", "crash", "update", "cache", "trace"}, 4)
	for i, n := range names {
		folder := a.Folder
		if i == 3 { // one elsewhere stays
			folder = fresh(t, fileFolders, func(s string) bool { return s == a.Folder })
		}
		p.Files.put(Node{Name: n + a.Type, Folder: folder, Size: 1 + t.Rand.Intn(300), Day: p.Today - t.Rand.Intn(9)})
	}
	t.Say("Delete all files that end in "+a.Type+" in the folder "+a.Folder+". Leave such files in other folders.",
		"In "+a.Folder+", and only there, get rid of everything whose name ends in "+a.Type+".")
	t.Offer(a.Type, a.Folder)
}

// Want implements ui.Wanter.
func (a *sweep) Want(p *Phone) {
	k := &p.Files
	for i := len(k.Nodes) - 1; i >= 0; i-- {
		if n := k.Nodes[i]; n.Folder == a.Folder && strings.HasSuffix(n.Name, a.Type) {
			k.remove(n.ID)
		}
	}
}
