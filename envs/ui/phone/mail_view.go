package phone

import "marlpit/envs/ui"

func (a *Mail) view(p *Phone, b *ui.Builder) {
	l := a.letter(a.Open)
	switch {
	case a.Screen == "compose":
		a.viewCompose(p, b)
		return
	case a.Screen == "read" && l != nil:
		viewLetter(p, b, l)
		return
	}
	a.viewBox(b)
	switch {
	case a.Screen == "folder":
		choose(b, "box", "Folders", boxes, a.Folder)
	case a.Screen == "empty":
		sure(b, "Delete all that is in the trash?")
	case l == nil:
	case a.Screen == "menu":
		menu(b, b.Cat(l.Prefix, l.Subject))
		b.Check("star", 0, "Starred", l.Starred)
		b.Check("unread", 0, "Unread", !l.Read)
		b.Row(3)
		b.Button("archive", 0, "Archive")
		b.Button("move", 0, "Move")
		b.Button("delete", 0, "Delete")
	case a.Screen == "move":
		choose(b, "into", "Move to", boxes, l.Folder)
	case a.Screen == "erase":
		sure(b, b.Cat("Delete ", l.Subject, " for good?"))
	}
}

func (a *Mail) viewBox(b *ui.Builder) {
	b.Heading(a.Folder)
	b.Row(2)
	b.Button("new", 0, "Compose")
	b.Select("folder", 0, "Folder", a.Folder)
	b.Field("search", 0, "Search", a.Search)
	if a.Folder == boxes[4] {
		b.Button("empty", 0, "Empty trash")
	}
	b.Scroll("letters", 0)
	for i := range a.Letters {
		l := &a.Letters[i]
		if !a.listed(l) {
			continue
		}
		who, unread, star := l.From, "", ""
		if l.From == myAddress {
			who = b.Cat("to ", l.To)
		}
		if !l.Read {
			unread = ", unread"
		}
		if l.Starred {
			star = ", starred"
		}
		b.Item("letter", l.ID, b.Cat(l.Prefix, l.Subject), b.Cat(who, ", ", b.Date(l.Day), unread, star)).Long()
	}
	b.End()
}

func viewLetter(p *Phone, b *ui.Builder, l *Letter) {
	b.Heading(b.Cat(l.Prefix, l.Subject))
	b.Label(l.From).Describe("from")
	b.Label(l.To).Describe("to")
	b.Label(b.Cat(b.Date(l.Day), ", ", b.Clock(l.Minute))).Describe("date")
	b.Label(l.Body).Describe("text")
	if l.Attached != "" {
		b.Label(b.Cat(l.Attached, ", ", b.Int(l.Size), " kB")).Describe("attachment")
		b.Button("keep", 0, "Save attachment to Downloads").Disable(!canKeep(p, l))
	}
	b.Check("star", 0, "Starred", l.Starred)
	b.Row(2)
	b.Button("reply", 0, "Reply")
	b.Button("forward", 0, "Forward")
	b.Row(3)
	b.Button("archive", 0, "Archive")
	b.Button("delete", 0, "Delete")
	b.Button("unread", 0, "Mark unread")
}

func (a *Mail) viewCompose(p *Phone, b *ui.Builder) {
	d := &a.Draft
	b.Heading("New mail")
	b.Row(2)
	b.Field("to", 0, "To", d.To)
	b.Button("who", 0, "Contacts")
	if d.Prefix != "" {
		b.Label(b.Cat(d.Prefix, d.Subject)).Describe("subject")
	} else {
		b.Field("subject", 0, "Subject", d.Subject)
	}
	b.Field("body", 0, "Text", d.Body)
	if d.Attached == "" {
		b.Button("file", 0, "Attach file")
	} else {
		b.Label(d.Attached).Describe("attachment")
		b.Button("detach", 0, "Remove attachment")
	}
	b.Row(3)
	b.Button("close", 0, "Discard")
	b.Button("draft", 0, "Save draft")
	b.Button("send", 0, "Send").Disable(d.To == "")
	switch a.Pick {
	case "who":
		menu(b, "To")
		b.Scroll("people", 0)
		for i := range p.Contacts.People {
			q := &p.Contacts.People[i]
			b.Option("person", q.ID, q.Name, q.Mail == d.To)
		}
		b.End()
	case "file":
		menu(b, "Attach file")
		b.Scroll("files", 0)
		for i := range p.Files.Nodes {
			if n := &p.Files.Nodes[i]; !n.Dir {
				b.Option("attach", n.ID, n.Name, false)
			}
		}
		b.End()
	}
}
