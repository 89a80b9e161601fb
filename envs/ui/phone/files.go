package phone

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Files is the app of files and folders.
type Files struct {
	Nodes []Node `ui:"set"`
	Next  int    `ui:"id"` // the next node's ID

	Folder string `ui:"view"` // the folder shown, "" for the storage
	Screen string `ui:"view"` // "" the folder, "show", and over them "menu", "rename", "move", "copy", "delete", "new", "sort"
	Open   int    `ui:"view"` // ID of the node it is about
	Search string `ui:"view"` // in all folders
	Sort   string `ui:"view"` // one of orders
	Draft  string `ui:"view"` // the name being typed
}

// Node is a file or a folder. Folders have names that no other folder has.
type Node struct {
	ID     int `ui:"id"`
	Name   string
	Folder string // the folder it is in, "" for the storage
	Dir    bool   // it is a folder
	Size   int    // kB
	Day    int    // of the last change
	Text   string // what it says, of a text file
}

const storage = "Storage" // what the folder "" is called

var orders = []string{"name", "date", "size"}

// fileNames are names of files by the folder that they belong to.
var fileNames = map[string][]string{
	"Documents":  {"lease.pdf", "resume.pdf", "tax-form.pdf", "recipe.txt", "minutes.txt", "budget.xlsx", "letter.docx", "thesis.docx"},
	"Downloads":  {"manual.pdf", "ticket.pdf", "map.png", "setup.apk", "font.zip", "catalog.pdf", "poster.png", "backup.zip"},
	"Pictures":   {"beach.jpg", "garden.jpg", "bridge.jpg", "birthday.jpg", "sunset.jpg", "harbor.jpg", "kitten.jpg"},
	"Recordings": {"interview.mp3", "lecture.mp3", "birdsong.mp3", "memo.mp3", "rehearsal.mp3"},
}

var (
	fileFolders = []string{"Documents", "Downloads", "Pictures", "Recordings"}
	newFolders  = []string{"Archive", "Holiday", "Invoices", "School", "Garden", "Old phone", "Printing", "Club", "House", "Projects"}
)

func (a *Files) fill(p *Phone, r *envs.Rand) {
	*a = Files{Nodes: a.Nodes[:0], Next: 1, Sort: orders[0]}
	day := func() int { return p.Today - r.Intn(min(p.Today, 80)) }
	for _, f := range fileFolders {
		a.put(Node{Name: f, Dir: true, Day: day()})
	}
	for _, f := range fileFolders {
		for _, name := range ui.Draw(r, fileNames[f], 3+r.Intn(2)) {
			n := Node{Name: name, Folder: f, Size: 20 + r.Intn(9000), Day: day()}
			if strings.HasSuffix(name, ".txt") {
				n.Size, n.Text = 1+r.Intn(9), "Nothing new so far."
			}
			a.put(n)
		}
	}
}

func (a *Files) open() {
	*a = Files{Nodes: a.Nodes, Next: a.Next, Sort: a.Sort}
}

// put adds a node under an ID of its own.
func (a *Files) put(n Node) {
	n.ID = a.Next
	a.Next++
	a.Nodes = append(a.Nodes, n)
	a.arrange()
}

// arrange puts folders first, and the rest in the order asked for.
func (a *Files) arrange() {
	order := a.Sort
	slices.SortStableFunc(a.Nodes, func(m, n Node) int {
		switch {
		case m.Dir != n.Dir && m.Dir:
			return -1
		case m.Dir != n.Dir:
			return 1
		case order == "date" && m.Day != n.Day:
			return n.Day - m.Day
		case order == "size" && m.Size != n.Size:
			return n.Size - m.Size
		}
		return strings.Compare(m.Name, n.Name)
	})
}

// node is the one of an ID, or nil.
func (a *Files) node(id int) *Node {
	for i := range a.Nodes {
		if a.Nodes[i].ID == id {
			return &a.Nodes[i]
		}
	}
	return nil
}

// folder is the folder of a name, or nil; so it is for the storage.
func (a *Files) folder(name string) *Node {
	for i := range a.Nodes {
		if n := &a.Nodes[i]; n.Dir && n.Name == name {
			return n
		}
	}
	return nil
}

// file is the first file of a name, or nil.
func (a *Files) file(name string) *Node {
	for i := range a.Nodes {
		if n := &a.Nodes[i]; !n.Dir && n.Name == name {
			return n
		}
	}
	return nil
}

// listed says whether the screen lists a node.
func (a *Files) listed(n *Node) bool {
	if a.Search != "" {
		return hasFold(n.Name, a.Search)
	}
	return n.Folder == a.Folder
}

// within says whether folder is the one called outer, or somewhere in it.
func (a *Files) within(folder, outer string) bool {
	for range len(a.Nodes) + 1 { // no longer, should folders lie in each other
		if folder == outer {
			return true
		}
		n := a.folder(folder)
		if n == nil {
			return false
		}
		folder = n.Folder
	}
	return false
}

// taken says whether a name can't be given in a folder: to a folder or a file other than the one of an ID.
func (a *Files) taken(name, folder string, dir bool, id int) bool {
	if dir && name == storage {
		return true
	}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		if n.ID != id && n.Name == name && (n.Folder == folder || dir && n.Dir) {
			return true
		}
	}
	return false
}

// rename gives a node another name, and what lies in it another folder.
func (a *Files) rename(n *Node, name string) {
	old := n.Name
	if n.Dir {
		for i := range a.Nodes {
			if a.Nodes[i].Folder == old {
				a.Nodes[i].Folder = name
			}
		}
	}
	n.Name = name
	a.arrange()
}

// remove deletes a node, and what lies in it.
func (a *Files) remove(id int) {
	a.Nodes = slices.DeleteFunc(a.Nodes, func(n Node) bool { return n.ID == id })
	for {
		k := slices.IndexFunc(a.Nodes, func(n Node) bool { return n.Folder != "" && a.folder(n.Folder) == nil })
		if k < 0 {
			return
		}
		a.Nodes = slices.Delete(a.Nodes, k, k+1)
	}
}
