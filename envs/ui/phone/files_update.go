package phone

import "marlpit/envs/ui"

func (a *Files) update(p *Phone, e ui.Event) bool {
	n := a.node(a.Open)
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back()
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Input, "name"):
		a.Draft = e.Text
	case e.Is(ui.Click, "new"):
		a.Screen, a.Open, a.Draft = "new", 0, ""
	case e.Is(ui.Click, "make") && a.Draft != "" && !a.taken(a.Draft, a.Folder, true, 0):
		a.put(Node{Name: a.Draft, Folder: a.Folder, Dir: true, Day: p.Today})
		a.Screen = ""
	case e.Is(ui.Click, "order"):
		a.Screen = "sort"
	case e.Is(ui.Click, "by"):
		if o, ok := chosen(e, "by", orders); ok {
			a.Sort, a.Screen = o, ""
			a.arrange()
		}
	case e.Is(ui.Click, "node"):
		a.enter(a.node(e.Key))
	case e.Is(ui.Press, "node"):
		a.Screen, a.Open = "menu", e.Key
	case n != nil: // what follows is about the node
		a.act(p, n, e)
	}
	return true
}

// enter shows a file, or what is in a folder.
func (a *Files) enter(n *Node) {
	switch {
	case n == nil:
	case n.Dir:
		a.Folder, a.Screen, a.Search = n.Name, "", ""
	default:
		a.Screen, a.Open = "show", n.ID
	}
}

// act handles what is done to a node.
func (a *Files) act(p *Phone, n *Node, e ui.Event) {
	switch {
	case e.Is(ui.Click, "rename"):
		a.Screen, a.Draft = "rename", n.Name
	case e.Is(ui.Click, "save") && a.Draft != "" && !a.taken(a.Draft, n.Folder, n.Dir, n.ID):
		a.Screen = ""
		a.rename(n, a.Draft)
	case e.Is(ui.Click, "move"):
		a.Screen = "move"
	case e.Is(ui.Click, "copy") && !n.Dir:
		a.Screen = "copy"
	case e.Is(ui.Click, "to"):
		to := ""
		if f := a.node(e.Key); f != nil && f.Dir {
			to = f.Name
		}
		if !a.fits(n, to) {
			return
		}
		if a.Screen == "copy" {
			a.Screen = ""
			c := *n
			c.Folder = to
			a.put(c)
			return
		}
		n.Folder, a.Screen = to, ""
	case e.Is(ui.Click, "share") && !n.Dir:
		a.Screen = ""
		p.show("mail")
		p.Mail.compose(0, Letter{Attached: n.Name, Size: n.Size})
	case e.Is(ui.Click, "delete"):
		a.Screen = "delete"
	case e.Is(ui.Click, "sure"):
		a.remove(n.ID)
		a.Screen, a.Open = "", 0
	}
}

// fits says whether a node can be moved or copied into a folder.
func (a *Files) fits(n *Node, to string) bool {
	return !(n.Dir && a.within(to, n.Name)) && !a.taken(n.Name, to, false, 0)
}

// back leaves what is uppermost.
func (a *Files) back() bool {
	switch {
	case a.Screen != "":
		a.Screen = ""
	case a.Search != "":
		a.Search = ""
	case a.Folder == "":
		return false
	default:
		up := ""
		if n := a.folder(a.Folder); n != nil {
			up = n.Folder
		}
		a.Folder = up
	}
	return true
}
