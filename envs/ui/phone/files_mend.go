package phone

import "marlpit/envs/ui"

func (n Node) key() int { return n.ID }

func (n Node) plain() Node { n.ID = 0; return n }

// toward implements mender.
func (a *Files) toward(p, want *Phone, x *ui.Pilot) bool {
	w := &want.Files
	wrong, right := repair(a.Nodes, w.Nodes)
	if wrong == nil && right == nil {
		return false
	}
	if wrong == nil && !right.Dir && !a.hasLike(right) {
		if l := p.Mail.attaching(right); l != nil {
			if p.Shown != "mail" {
				x.Open("mail")
			} else if p.Mail.read(x, l) {
				x.Tap("keep", 0)
			}
			return true
		}
	}
	if p.Shown != "files" {
		x.Open("files")
		return true
	}
	if wrong != nil && right == nil && wrong.Dir {
		if m := a.inTheWay(wrong, w); m != nil {
			wrong, right = m, w.node(m.ID)
		}
	}
	if right != nil && a.folder(right.Folder) == nil && right.Folder != "" && w.folder(right.Folder) != nil {
		wrong, right = nil, w.folder(right.Folder) // it has to be there first
	}
	switch {
	case wrong == nil && right.Dir:
		a.solveNew(x, right)
	case wrong == nil:
		a.solveCopy(x, right)
	case right == nil || !sameFile(wrong, right):
		a.solveDelete(x, wrong)
	case wrong.Folder != right.Folder:
		a.solveMove(x, wrong, right.Folder)
	default:
		a.solveRename(x, wrong, right.Name)
	}
	return true
}

// sameFile says whether moving and renaming makes one node the other.
func sameFile(a, b *Node) bool {
	return a.Dir == b.Dir && a.Size == b.Size && a.Day == b.Day && a.Text == b.Text
}

// hasLike says whether there is a file to copy what is wanted from.
func (a *Files) hasLike(want *Node) bool {
	for i := range a.Nodes {
		if n := &a.Nodes[i]; n.Name == want.Name && sameFile(n, want) {
			return true
		}
	}
	return false
}

// attaching is a letter that a file can be saved from, or nil.
func (a *Mail) attaching(n *Node) *Letter {
	for i := range a.Letters {
		if l := &a.Letters[i]; l.Folder != boxes[2] && l.Attached == n.Name && l.Size == n.Size && n.Text == "" {
			return l
		}
	}
	return nil
}

// inTheWay is what has to be moved out of a folder before it is deleted, or nil.
func (a *Files) inTheWay(n *Node, want *Files) *Node {
	for i := range a.Nodes {
		if m := &a.Nodes[i]; m.Folder == n.Name && want.node(m.ID) != nil {
			return m
		}
	}
	return nil
}

// at leads to the folder of a name, its content listed.
func (a *Files) at(x *ui.Pilot, folder string) bool {
	switch {
	case a.Screen != "" || a.Search != "":
		x.Back()
	case a.Folder == folder:
		return true
	case !a.within(folder, a.Folder):
		x.Back()
	default:
		for range len(a.Nodes) {
			n := a.folder(folder)
			if n == nil {
				break
			}
			if n.Folder == a.Folder {
				x.Tap("node", n.ID)
				break
			}
			folder = n.Folder
		}
	}
	return false
}

// menu leads to where a node can be renamed, moved, copied and deleted.
func (a *Files) menu(x *ui.Pilot, n *Node) bool {
	if a.Open == n.ID && (a.Screen == "menu" || a.Screen == "show") {
		return true
	}
	if a.Screen == "" && a.Search != "" && a.listed(n) || a.at(x, n.Folder) {
		x.Hold("node", n.ID)
	}
	return false
}

// show leads to the screen of a file.
func (a *Files) show(x *ui.Pilot, n *Node) bool {
	if a.Open == n.ID && a.Screen == "show" {
		return true
	}
	if a.Screen == "" && a.Search != "" && a.listed(n) || a.at(x, n.Folder) {
		x.Tap("node", n.ID)
	}
	return false
}

func (a *Files) solveNew(x *ui.Pilot, want *Node) {
	switch {
	case a.Screen == "new" && a.Folder == want.Folder:
		if a.Draft != want.Name {
			x.Type("name", 0, want.Name)
		}
		x.Tap("make", 0)
	case a.at(x, want.Folder):
		x.Tap("new", 0)
	}
}

func (a *Files) solveDelete(x *ui.Pilot, n *Node) {
	if a.Open == n.ID && a.Screen == "delete" {
		x.Tap("sure", 0)
	}
	if a.menu(x, n) {
		x.Tap("delete", 0)
	}
}

func (a *Files) solveMove(x *ui.Pilot, n *Node, folder string) {
	if a.Open == n.ID && a.Screen == "move" {
		x.Tap("to", a.id(folder))
	}
	if a.menu(x, n) {
		x.Tap("move", 0)
	}
}

// solveCopy makes the file that is wanted of one that is the same but for its folder.
func (a *Files) solveCopy(x *ui.Pilot, want *Node) {
	for i := range a.Nodes {
		n := &a.Nodes[i]
		if n.Name != want.Name || !sameFile(n, want) {
			continue
		}
		if a.Open == n.ID && a.Screen == "copy" {
			x.Tap("to", a.id(want.Folder))
		}
		if a.menu(x, n) {
			x.Tap("copy", 0)
		}
		return
	}
}

func (a *Files) solveRename(x *ui.Pilot, n *Node, name string) {
	if a.Open == n.ID && a.Screen == "rename" {
		if a.Draft != name {
			x.Type("name", 0, name)
		}
		x.Tap("save", 0)
	}
	if a.menu(x, n) {
		x.Tap("rename", 0)
	}
}

// id is that of a folder, 0 for the storage.
func (a *Files) id(folder string) int {
	if n := a.folder(folder); n != nil {
		return n.ID
	}
	return 0
}
