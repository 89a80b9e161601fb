package phone

import "marlpit/envs/ui"

func (n *Notes) view(_ *Phone, b *ui.Builder) {
	k := n.note(n.Open)
	switch {
	case n.Screen == "edit":
		n.viewEdit(b, k != nil)
	case n.Screen == "note" && k != nil:
		n.viewNote(b, k)
	default:
		n.viewList(b)
		switch {
		case k == nil: // what follows is about a note
		case n.Screen == "menu" && n.Pick:
			choose(b, "into", "Move to", noteFolders, k.Folder)
		case n.Screen == "menu":
			menu(b, k.Title)
			b.Switch("pinned", 0, "Pinned", k.Pinned)
			b.Button("move", 0, "Move to folder")
			b.Button("delete", 0, "Delete")
		case n.Screen == "delete":
			sure(b, b.Cat("Delete ", k.Title, "?"))
		}
	}
}

func (n *Notes) viewList(b *ui.Builder) {
	b.Heading("Notes")
	b.Button("new", 0, "Add note")
	b.Field("search", 0, "Search", n.Search)
	b.Row(1 + len(noteFolders))
	b.Tab("all", 0, "All", n.Folder == "")
	for i, f := range noteFolders {
		b.Tab("folder", i, f, n.Folder == f)
	}
	b.Scroll("notes", 0)
	for _, pinned := range [2]bool{true, false} {
		for i := range n.Notes {
			k := &n.Notes[i]
			if k.Pinned != pinned || !n.listed(k) {
				continue
			}
			second := k.Body
			if len(k.Entries) > 0 {
				second = b.Cat("List of ", b.Int(len(k.Entries)))
			}
			if pinned {
				second = b.Cat("Pinned: ", second)
			}
			b.Item("note", k.ID, k.Title, second).Long()
		}
	}
	b.End()
}

func (n *Notes) viewNote(b *ui.Builder, k *Note) {
	b.Heading(k.Title)
	b.Label(k.Body).Describe("text")
	b.Label(k.Folder).Describe("folder")
	b.Row(2)
	b.Button("edit", 0, "Edit")
	b.Button("menu", 0, "More")
	b.Field("entry", 0, "New entry", n.Entry)
	b.Button("enter", 0, "Add to list").Disable(n.Entry == "")
	b.Scroll("entries", 0)
	for i := range k.Entries {
		e := &k.Entries[i]
		b.Row(2)
		b.Check("done", e.ID, e.Text, e.Done)
		b.Button("remove", e.ID, "Remove")
	}
	b.End()
}

func (n *Notes) viewEdit(b *ui.Builder, old bool) {
	if old {
		b.Heading("Edit note")
	} else {
		b.Heading("New note")
	}
	b.Field("title", 0, "Title", n.Draft.Title)
	b.Field("body", 0, "Text", n.Draft.Body)
	b.Select("in", 0, "Folder", n.Draft.Folder)
	b.Row(2)
	b.Button("cancel", 0, "Cancel")
	b.Button("save", 0, "Save").Disable(n.Draft.Title == "")
	if n.Pick {
		choose(b, "into", "Folder", noteFolders, n.Draft.Folder)
	}
}
