package phone

import "marlpit/envs/ui"

func (a *Files) view(_ *Phone, b *ui.Builder) {
	n := a.node(a.Open)
	if a.Screen == "show" && n != nil {
		a.viewFile(b, n)
		return
	}
	a.viewFolder(b)
	switch {
	case a.Screen == "new":
		a.viewName(b, "New folder", "make", a.taken(a.Draft, a.Folder, true, 0))
	case a.Screen == "sort":
		choose(b, "by", "Sort by", orders, a.Sort)
	case n == nil:
	case a.Screen == "menu":
		menu(b, n.Name)
		viewActs(b, n)
	case a.Screen == "rename":
		a.viewName(b, "Rename", "save", a.taken(a.Draft, n.Folder, n.Dir, n.ID))
	case a.Screen == "move":
		a.viewTargets(b, n, b.Cat("Move ", n.Name, " to"))
	case a.Screen == "copy":
		a.viewTargets(b, n, b.Cat("Copy ", n.Name, " to"))
	case a.Screen == "delete":
		sure(b, b.Cat("Delete ", n.Name, "?"))
	}
}

func (a *Files) viewFolder(b *ui.Builder) {
	if a.Folder == "" {
		b.Heading("Files")
	} else {
		b.Heading(a.Folder)
	}
	b.Row(2)
	b.Button("new", 0, "New folder")
	b.Select("order", 0, "Sort by", a.Sort)
	b.Field("search", 0, "Search all files", a.Search)
	b.Scroll("nodes", 0)
	for i := range a.Nodes {
		switch n := &a.Nodes[i]; {
		case !a.listed(n):
		case n.Dir:
			b.Item("node", n.ID, n.Name, "folder").Long()
		case a.Search != "":
			b.Item("node", n.ID, n.Name, b.Cat("in ", placeName(n.Folder))).Long()
		default:
			b.Item("node", n.ID, n.Name, b.Cat(b.Int(n.Size), " kB, ", b.Date(n.Day))).Long()
		}
	}
	b.End()
}

func (a *Files) viewFile(b *ui.Builder, n *Node) {
	b.Heading(n.Name)
	b.Label(b.Cat(b.Int(n.Size), " kB")).Describe("size")
	b.Label(b.Date(n.Day)).Describe("changed")
	b.Label(placeName(n.Folder)).Describe("folder")
	b.Label(n.Text).Describe("content")
	b.Button("share", 0, "Send by mail")
	viewActs(b, n)
}

// viewActs are the buttons of what can be done to a node.
func viewActs(b *ui.Builder, n *Node) {
	b.Row(2)
	b.Button("rename", 0, "Rename")
	b.Button("move", 0, "Move")
	b.Row(2)
	b.Button("copy", 0, "Copy").Disable(n.Dir)
	b.Button("delete", 0, "Delete")
}

func (a *Files) viewName(b *ui.Builder, title, on string, taken bool) {
	b.Dialog(title)
	b.Field("name", 0, "Name", a.Draft)
	if taken {
		b.Label("There is one of this name.")
	}
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button(on, 0, "OK").Disable(taken || a.Draft == "")
}

func (a *Files) viewTargets(b *ui.Builder, n *Node, title string) {
	menu(b, title)
	b.Scroll("targets", 0)
	b.Option("to", 0, storage, n.Folder == "").Disable(!a.fits(n, ""))
	for i := range a.Nodes {
		if f := &a.Nodes[i]; f.Dir && f.ID != 0 {
			b.Option("to", f.ID, f.Name, n.Folder == f.Name).Disable(!a.fits(n, f.Name))
		}
	}
	b.End()
}

func placeName(folder string) string {
	if folder == "" {
		return storage
	}
	return folder
}
