package phone

import "marlpit/envs/ui"

func (e Entry) key() int { return e.ID }

func (e Entry) plain() Entry { e.ID = 0; return e }

// toward implements mender.
func (n *Notes) toward(p, want *Phone, x *ui.Pilot) bool {
	w := &want.Notes
	for i := range n.Notes {
		k := &n.Notes[i]
		goal := k.counterpart(w, n)
		switch {
		case goal == nil || surplus(k.Body, goal.Body):
			if !away(p, x, "notes") {
				n.solveDelete(x, k)
			}
			return true
		case n.solveNote(p, x, k, goal):
			return true
		}
	}
	for i := range w.Notes {
		if k := &w.Notes[i]; k.counterpart(n, w) == nil {
			if !away(p, x, "notes") {
				n.solveWrite(x, 0, k.draft())
			}
			return true
		}
	}
	return false
}

// counterpart is the note of the same ID in others, else one of the same title
// that is new there; mine is where k is from.
func (k *Note) counterpart(others, mine *Notes) *Note {
	if o := others.note(k.ID); o != nil {
		return o
	}
	for i := range others.Notes {
		if o := &others.Notes[i]; o.Title == k.Title && mine.note(o.ID) == nil {
			return o
		}
	}
	return nil
}

// solveNote changes a note into the one wanted; false where nothing differs.
func (n *Notes) solveNote(p *Phone, x *ui.Pilot, k, want *Note) bool {
	wrong, right := repair(k.Entries, want.Entries)
	for i := range want.Entries { // a new one is ticked once it is there
		if e := &want.Entries[i]; wrong != nil && right == nil && e.Text == wrong.Text && copies(k.Entries, *e) < copies(want.Entries, *e) {
			right = e
		}
	}
	here := n.Screen == "note" && n.Open == k.ID
	switch {
	case k.draft() == want.draft() && k.Pinned == want.Pinned && wrong == nil && right == nil:
		return false
	case away(p, x, "notes"):
	case k.draft() != want.draft():
		n.solveWrite(x, k.ID, want.draft())
	case k.Pinned != want.Pinned:
		n.solveMenu(x, k, "pinned")
	case !here:
		n.solveOpen(x, k)
	case wrong != nil && right != nil:
		x.Tap("done", wrong.ID)
	case wrong != nil:
		x.Tap("remove", wrong.ID)
	case n.Entry != right.Text:
		x.Type("entry", 0, right.Text)
	default:
		x.Tap("enter", 0)
	}
	return true
}

// solveOpen opens a note, from anywhere in the app.
func (n *Notes) solveOpen(x *ui.Pilot, k *Note) {
	if n.Screen == "" {
		x.Tap("note", k.ID)
	}
	x.Back()
}

// solveMenu clicks an entry of a note's menu.
func (n *Notes) solveMenu(x *ui.Pilot, k *Note, on string) {
	switch {
	case n.Screen == "menu" && n.Open == k.ID && !n.Pick:
		x.Tap(on, 0)
	case n.Screen == "note" && n.Open == k.ID:
		x.Tap("menu", 0)
	case n.Screen == "":
		x.Hold("note", k.ID)
	}
	x.Back()
}

func (n *Notes) solveDelete(x *ui.Pilot, k *Note) {
	if n.Screen == "delete" && n.Open == k.ID {
		x.Tap("sure", 0)
	}
	n.solveMenu(x, k, "delete")
}

// solveWrite writes d over the note of an ID, or as a new one for ID 0.
func (n *Notes) solveWrite(x *ui.Pilot, id int, d NoteDraft) {
	k := n.note(id)
	switch {
	case n.Pick && n.Open == id && (n.Screen == "edit" || n.Screen == "menu" && k != nil && k.Folder != d.Folder):
		x.Tap("into", index(noteFolders, d.Folder))
	case n.Screen == "edit" && n.Open == id:
		switch {
		case enter(x, "title", n.Draft.Title, d.Title), enter(x, "body", n.Draft.Body, d.Body):
		case n.Draft.Folder != d.Folder:
			x.Tap("in", 0)
		default:
			x.Tap("save", 0)
		}
	case k == nil && n.Screen == "":
		x.Tap("new", 0)
	case k != nil && n.Screen == "note" && n.Open == id:
		x.Tap("edit", 0)
	case k != nil && n.Screen == "menu" && n.Open == id && k.Folder != d.Folder:
		x.Tap("move", 0)
	case k != nil:
		n.solveOpen(x, k)
	}
	x.Back()
}

// shows says whether a note is what the app shows, even behind other apps.
func (n *Notes) shows(title string) bool {
	k := n.titled(title)
	return k != nil && n.Screen == "note" && n.Open == k.ID
}

// look brings a note onto the screen; false where it is there, or there is none.
func (n *Notes) look(p *Phone, x *ui.Pilot, title string) bool {
	k := n.titled(title)
	switch {
	case k == nil || p.Shown == "notes" && n.shows(title):
		return false
	case away(p, x, "notes"):
	default:
		n.solveOpen(x, k)
	}
	return true
}
