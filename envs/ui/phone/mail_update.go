package phone

import "marlpit/envs/ui"

func (a *Mail) update(p *Phone, e ui.Event) bool {
	l := a.letter(a.Open)
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back(l)
	case a.Screen == "compose":
		a.write(p, e)
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Click, "folder"), e.Is(ui.Click, "empty"):
		a.Screen = e.On
	case e.Is(ui.Click, "box"):
		if box, ok := chosen(e, "box", boxes); ok {
			a.open()
			a.Folder = box
		}
	case e.Is(ui.Click, "sure") && a.Screen == "empty":
		for i := len(a.Letters) - 1; i >= 0; i-- {
			if l := a.Letters[i]; l.Folder == boxes[4] {
				a.remove(l.ID)
			}
		}
		a.Screen = ""
	case e.Is(ui.Click, "new"):
		a.compose(0, Letter{})
	case e.Is(ui.Click, "letter"):
		a.show(a.letter(e.Key))
	case e.Is(ui.Press, "letter"):
		a.Screen, a.Open = "menu", e.Key
	case l != nil: // what follows is about the letter
		a.act(p, l, e)
	}
	return true
}

// show opens a letter, or a draft to be written on.
func (a *Mail) show(l *Letter) {
	switch {
	case l == nil:
	case l.Folder == boxes[2]:
		a.compose(l.ID, *l)
	default:
		a.Screen, a.Open, l.Read = "read", l.ID, true
	}
}

// act handles what is done to a letter.
func (a *Mail) act(p *Phone, l *Letter, e ui.Event) {
	move := func(folder string) { l.Folder, a.Screen = folder, "" }
	switch {
	case e.Is(ui.Click, "reply"):
		a.compose(0, Letter{To: l.From, Prefix: "Re: ", Subject: l.Subject})
	case e.Is(ui.Click, "forward"):
		a.compose(0, Letter{Prefix: "Fwd: ", Subject: l.Subject, Body: l.Body, Attached: l.Attached, Size: l.Size})
	case e.Is(ui.Click, "star"):
		if l.Starred = !l.Starred; a.Screen == "menu" {
			a.Screen = ""
		}
	case e.Is(ui.Click, "unread"):
		l.Read, a.Screen = !l.Read, ""
	case e.Is(ui.Click, "archive"):
		move(boxes[3])
	case e.Is(ui.Click, "delete") && l.Folder == boxes[4]:
		a.Screen = "erase"
	case e.Is(ui.Click, "delete"):
		move(boxes[4])
	case e.Is(ui.Click, "sure"):
		a.remove(l.ID)
		a.Screen, a.Open = "", 0
	case e.Is(ui.Click, "move"):
		a.Screen = "move"
	case e.Is(ui.Click, "into"):
		if box, ok := chosen(e, "into", boxes); ok {
			move(box)
		}
	case e.Is(ui.Click, "keep") && canKeep(p, l):
		p.Files.put(Node{Name: l.Attached, Folder: "Downloads", Size: l.Size, Day: p.Today})
	}
}

// canKeep says whether what is attached can be saved among the downloads.
func canKeep(p *Phone, l *Letter) bool {
	return l.Attached != "" && p.Files.folder("Downloads") != nil && !p.Files.taken(l.Attached, "Downloads", false, 0)
}

// write handles the screen of the draft.
func (a *Mail) write(p *Phone, e ui.Event) {
	d := &a.Draft
	switch {
	case e.Is(ui.Input, "to"):
		d.To = e.Text
	case e.Is(ui.Input, "subject"):
		d.Subject = e.Text
	case e.Is(ui.Input, "body"):
		d.Body = e.Text
	case e.Is(ui.Click, "who"), e.Is(ui.Click, "file"):
		a.Pick = e.On
	case e.Is(ui.Click, "person"):
		if q := p.Contacts.person(e.Key); q != nil {
			d.To, a.Pick = q.Mail, ""
		}
	case e.Is(ui.Click, "attach"):
		if n := p.Files.node(e.Key); n != nil && !n.Dir {
			d.Attached, d.Size, a.Pick = n.Name, n.Size, ""
		}
	case e.Is(ui.Click, "detach"):
		d.Attached, d.Size = "", 0
	case e.Is(ui.Click, "draft"):
		a.file(p, boxes[2])
	case e.Is(ui.Click, "send") && d.To != "":
		a.file(p, boxes[1])
	}
}

// back leaves what is uppermost; what is being written is thrown away.
func (a *Mail) back(l *Letter) bool {
	switch {
	case a.Screen == "compose" && a.Pick != "":
		a.Pick = ""
	case a.Screen == "" && (a.Folder != boxes[0] || a.Search != ""):
		a.open()
	case a.Screen == "":
		return false
	case a.Screen == "move" && l == nil:
		a.open()
	default:
		a.Screen = ""
	}
	return true
}
