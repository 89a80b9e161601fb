package web

import (
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[treePage, treePath](ui.Template{
		Name: "tree-path", Summary: "open a file whose folders are given", Apps: []string{"tree"},
		Kind: ui.Navigate, Level: 2, MaxTurns: 14, Easy: true,
	})
	_ = add[treePage, treeFind](ui.Template{
		Name: "tree-find", Summary: "find a file by its name in a tree of folders and open it", Apps: []string{"tree"},
		Kind: ui.Find, Level: 3, MaxTurns: 14, Easy: true,
	})
)

// treePage is a tree of folders and files; a click on a file ends it.
type treePage struct {
	Base
	Nodes        []node
	Folder, File string // the file that was opened, and the folder it is in
}

// node is a folder or file; what a folder holds follows it, one deeper.
type node struct {
	Name   string
	Depth  int // from 0
	Folder bool
	Open   bool `ui:"view"`
}

func (s *treePage) fill(r *envs.Rand) {
	*s = treePage{}
	folders := ui.Draw(r, topics, 9)
	names := ui.Draw(r, plain, 18)
	file := func(depth int) {
		s.Nodes = append(s.Nodes, node{Name: names[0] + ui.Pick(r, []string{".txt", ".pdf", ".jpg"}), Depth: depth})
		names = names[1:]
	}
	for top := range 3 {
		s.Nodes = append(s.Nodes, node{Name: folders[3*top], Folder: true})
		for sub := range 2 {
			s.Nodes = append(s.Nodes, node{Name: folders[3*top+1+sub], Folder: true, Depth: 1})
			file(2)
			file(2)
		}
		if r.Intn(2) == 0 {
			s.Nodes = append(s.Nodes, node{Name: "notes.txt", Depth: 1})
		}
		file(1)
	}
}

// App implements ui.Sim.
func (s *treePage) App() string { return "tree" }

// parent is the folder of a node, or -1.
func (s *treePage) parent(i int) int {
	for k := i - 1; k >= 0; k-- {
		if s.Nodes[k].Depth < s.Nodes[i].Depth {
			return k
		}
	}
	return -1
}

// parentName is the name of the folder of a node, or "".
func (s *treePage) parentName(i int) string {
	if k := s.parent(i); k >= 0 {
		return s.Nodes[k].Name
	}
	return ""
}

// View implements ui.Sim.
func (s *treePage) View(b *ui.Builder) {
	b.Heading("Files")
	b.Scroll("tree", 0)
	closed, hidden := 0, false // the depth of a closed folder, and whether there is one
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if hidden && n.Depth > closed {
			continue
		}
		hidden = false
		what := "file"
		if n.Folder {
			if what = "open folder"; !n.Open {
				what, closed, hidden = "folder", n.Depth, true
			}
		}
		if p := s.parent(i); p >= 0 {
			what = b.Cat(what, " in ", s.Nodes[p].Name)
		}
		b.Item("node", i, n.Name, what)
	}
	b.End()
}

// Update implements ui.Sim.
func (s *treePage) Update(e ui.Event) {
	if !e.Is(ui.Click, "node") || !within(e.Key, len(s.Nodes)) {
		return
	}
	if n := &s.Nodes[e.Key]; n.Folder {
		n.Open = !n.Open
	} else {
		s.Folder, s.File, s.Done = s.parentName(e.Key), n.Name, true
	}
}

// wantedFile is the file that is asked for.
type wantedFile struct{ Folder, File string }

// draw draws a file two folders deep and returns its place.
func (j *wantedFile) draw(s *treePage, r *envs.Rand) int {
	i := r.Intn(len(s.Nodes))
	for s.Nodes[i].Folder || s.Nodes[i].Depth != 2 {
		i = r.Intn(len(s.Nodes))
	}
	j.Folder, j.File = s.parentName(i), s.Nodes[i].Name
	return i
}

// Want implements ui.Wanter.
func (j *wantedFile) Want(s *treePage) { s.Folder, s.File = j.Folder, j.File }

// Solve implements ui.Job.
func (j *wantedFile) Solve(s *treePage, x *ui.Pilot) {
	for i := range s.Nodes {
		if s.Nodes[i].Name != j.File || s.Nodes[i].Folder || s.parentName(i) != j.Folder {
			continue
		}
		at := i // of the outermost folder on the way that is closed, else of the file
		for p := s.parent(i); p >= 0; p = s.parent(p) {
			if !s.Nodes[p].Open {
				at = p
			}
		}
		x.Tap("node", at)
	}
}

// treePath asks for a file by its folders.
type treePath struct{ wantedFile }

// Setup implements ui.Job.
func (j *treePath) Setup(s *treePage, t *ui.Task) {
	i := j.draw(s, t.Rand)
	path := []string{s.parentName(s.parent(i)), j.Folder, j.File}
	t.Say("Open the file "+strings.Join(path, "/")+".",
		"In the folder "+quoted(path[0])+", go to "+quoted(path[1])+" and open "+quoted(path[2])+".")
}

// treeFind asks for a file by its name alone.
type treeFind struct{ wantedFile }

// Setup implements ui.Job.
func (j *treeFind) Setup(s *treePage, t *ui.Task) {
	j.draw(s, t.Rand)
	t.Say("Find the file "+quoted(j.File)+" and open it.", "Somewhere in the folders is "+quoted(j.File)+". Open it.")
}
