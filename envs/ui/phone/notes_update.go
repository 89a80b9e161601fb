package phone

import (
	"slices"

	"marlpit/envs/ui"
)

func (n *Notes) update(_ *Phone, e ui.Event) bool {
	k := n.note(n.Open)
	switch {
	case e.Kind == ui.Back:
		return n.back()
	case e.Is(ui.Click, "close"), e.Is(ui.Click, "cancel"):
		n.back()
	case n.Screen == "edit":
		n.updateEdit(e, k)
	case k != nil && n.Screen == "note":
		n.updateNote(e, k)
	case k != nil && (n.Screen == "menu" || n.Screen == "delete"):
		n.updateMenu(e, k)
	default:
		n.updateList(e)
	}
	return true
}

// back leaves a screen; false where there is none to leave.
func (n *Notes) back() bool {
	switch {
	case n.Pick && n.Screen != "":
		n.Pick = false
	case n.Screen == "edit" && n.note(n.Open) != nil:
		n.Screen = "note"
	case n.Screen != "":
		n.Screen, n.Open, n.Pick, n.Entry = "", 0, false, ""
	case n.Search != "" || n.Folder != "":
		n.open()
	default:
		return false
	}
	return true
}

func (n *Notes) updateList(e ui.Event) {
	switch {
	case e.Is(ui.Input, "search"):
		n.Search = e.Text
	case e.Is(ui.Click, "all"):
		n.Folder = ""
	case e.Is(ui.Click, "folder") && e.Key >= 0 && e.Key < len(noteFolders):
		n.Folder = noteFolders[e.Key]
	case e.Is(ui.Click, "new"):
		n.Screen, n.Open, n.Pick, n.Draft = "edit", 0, false, NoteDraft{Folder: n.Folder}
		if n.Folder == "" {
			n.Draft.Folder = noteFolders[0]
		}
	case n.note(e.Key) == nil: // what follows is about a note
	case e.Is(ui.Click, "note"):
		n.Screen, n.Open, n.Pick, n.Entry = "note", e.Key, false, ""
	case e.Is(ui.Press, "note"):
		n.Screen, n.Open, n.Pick = "menu", e.Key, false
	}
}

func (n *Notes) updateNote(e ui.Event, k *Note) {
	v := k.entry(e.Key)
	switch {
	case e.Is(ui.Click, "edit"):
		n.Screen, n.Pick, n.Draft = "edit", false, k.draft()
	case e.Is(ui.Click, "menu"):
		n.Screen, n.Pick = "menu", false
	case e.Is(ui.Input, "entry"):
		n.Entry = e.Text
	case (e.Is(ui.Click, "enter") || e.Is(ui.Enter, "entry")) && n.Entry != "":
		n.enter(k, n.Entry)
		n.Entry = ""
	case v == nil: // what follows is about an entry
	case e.Is(ui.Click, "done"):
		v.Done = !v.Done
	case e.Is(ui.Click, "remove"):
		k.Entries = slices.DeleteFunc(k.Entries, func(o Entry) bool { return o.ID == e.Key })
	}
}

// updateMenu handles the menu of a note, and what comes of it.
func (n *Notes) updateMenu(e ui.Event, k *Note) {
	switch {
	case e.Is(ui.Click, "pinned"):
		k.Pinned = !k.Pinned
	case e.Is(ui.Click, "move"):
		n.Pick = true
	case e.Is(ui.Click, "into") && n.Pick:
		if f, ok := chosen(e, "into", noteFolders); ok {
			k.Folder, n.Pick = f, false
		}
	case e.Is(ui.Click, "delete"):
		n.Screen = "delete"
	case e.Is(ui.Click, "sure") && n.Screen == "delete":
		n.drop(k.ID)
		n.Screen, n.Open, n.Pick = "", 0, false
	}
}

func (n *Notes) updateEdit(e ui.Event, k *Note) {
	d := &n.Draft
	switch {
	case e.Is(ui.Input, "title"):
		d.Title = e.Text
	case e.Is(ui.Input, "body"):
		d.Body = e.Text
	case e.Is(ui.Click, "in"):
		n.Pick = true
	case e.Is(ui.Click, "into") && n.Pick:
		if f, ok := chosen(e, "into", noteFolders); ok {
			d.Folder, n.Pick = f, false
		}
	case e.Is(ui.Click, "save") && d.Title != "" && k != nil:
		k.Title, k.Body, k.Folder = d.Title, d.Body, d.Folder
		n.Screen = "note"
	case e.Is(ui.Click, "save") && d.Title != "":
		n.put(*d)
		n.Screen = ""
	}
}
