package phone

import "marlpit/envs/ui"

func (l Letter) key() int { return l.ID }

func (l Letter) plain() Letter { l.ID, l.Read = 0, false; return l }

// toward implements mender.
func (a *Mail) toward(p, want *Phone, x *ui.Pilot) bool {
	wrong, right := repair(a.Letters, want.Mail.Letters)
	if wrong == nil && right == nil {
		return false
	}
	if p.Shown != "mail" {
		x.Open("mail")
		return true
	}
	if wrong != nil && wrong.Folder == boxes[2] && (right == nil || right.Folder == boxes[2]) {
		for i := range want.Mail.Letters { // a draft that is to be sent
			if w := &want.Mail.Letters[i]; w.Subject == wrong.Subject && copies(a.Letters, *w) < copies(want.Mail.Letters, *w) {
				a.solveWrite(p, x, wrong.ID, w)
				return true
			}
		}
	}
	switch {
	case wrong == nil:
		a.solveWrite(p, x, 0, right)
	case right == nil || !movesTo(*wrong, *right):
		a.solveDelete(x, wrong)
	case wrong.Starred != right.Starred:
		if a.Screen == "read" && a.Open == wrong.ID || a.menu(x, wrong) {
			x.Tap("star", 0)
		}
	default:
		a.solveMove(x, wrong, right.Folder)
	}
	return true
}

// movesTo says whether moving and marking makes one letter the other.
func movesTo(l, m Letter) bool {
	l.Folder, l.Starred = m.Folder, m.Starred
	return l.plain() == m.plain()
}

// at leads to a list with a letter in it.
func (a *Mail) at(x *ui.Pilot, l *Letter) bool {
	switch {
	case a.Screen == "folder":
		x.Tap("box", index(boxes, l.Folder))
	case a.Screen != "":
		x.Back()
	case a.Folder != l.Folder:
		x.Tap("folder", 0)
	case !a.listed(l):
		x.Back()
	default:
		return true
	}
	return false
}

// menu leads to the menu of a letter.
func (a *Mail) menu(x *ui.Pilot, l *Letter) bool {
	if a.Screen == "menu" && a.Open == l.ID {
		return true
	}
	if a.at(x, l) {
		x.Hold("letter", l.ID)
	}
	return false
}

// read leads to a letter's screen.
func (a *Mail) read(x *ui.Pilot, l *Letter) bool {
	if a.Screen == "read" && a.Open == l.ID {
		return true
	}
	if a.at(x, l) {
		x.Tap("letter", l.ID)
	}
	return false
}

func (a *Mail) solveDelete(x *ui.Pilot, l *Letter) {
	switch {
	case a.Screen == "erase" && a.Open == l.ID:
		x.Tap("sure", 0)
	case a.Screen == "read" && a.Open == l.ID, a.menu(x, l):
		x.Tap("delete", 0)
	}
}

func (a *Mail) solveMove(x *ui.Pilot, l *Letter, folder string) {
	shown := a.Open == l.ID && (a.Screen == "read" || a.Screen == "menu")
	switch {
	case a.Screen == "move" && a.Open == l.ID:
		x.Tap("into", index(boxes, folder))
	case shown && folder == boxes[3]:
		x.Tap("archive", 0)
	case shown && folder == boxes[4] && l.Folder != folder:
		x.Tap("delete", 0)
	case a.menu(x, l):
		x.Tap("move", 0)
	}
}

// solveWrite writes a letter, from the draft of an ID or 0, and sends or keeps it.
func (a *Mail) solveWrite(p *Phone, x *ui.Pilot, draft int, want *Letter) {
	d := &a.Draft
	if a.Screen != "compose" {
		a.solveStart(x, draft, want)
		return
	}
	switch {
	case a.Pick == "who":
		if q := p.Contacts.withMail(want.To); q != nil {
			x.Tap("person", q.ID)
		}
	case a.Pick == "file":
		if n := p.Files.file(want.Attached); n != nil {
			x.Tap("attach", n.ID)
		}
	case a.Open != draft || d.Prefix != want.Prefix || d.Prefix != "" && d.Subject != want.Subject:
		x.Back()
	case d.To != want.To:
		if p.Contacts.withMail(want.To) != nil {
			x.Tap("who", 0)
		}
		x.Type("to", 0, want.To)
	case d.Subject != want.Subject:
		x.Type("subject", 0, want.Subject)
	case d.Body != want.Body:
		x.Type("body", 0, want.Body)
	case d.Attached != want.Attached && d.Attached != "":
		x.Tap("detach", 0)
	case d.Attached != want.Attached:
		x.Tap("file", 0)
	case want.Folder == boxes[2]:
		x.Tap("draft", 0)
	default:
		x.Tap("send", 0)
	}
}

// solveStart leads to the screen on which a letter is written.
func (a *Mail) solveStart(x *ui.Pilot, draft int, want *Letter) {
	if l := a.letter(draft); l != nil {
		if a.at(x, l) {
			x.Tap("letter", l.ID)
		}
		return
	}
	for i := range a.Letters {
		l := &a.Letters[i]
		if want.Prefix == "" || l.From == myAddress || l.Subject != want.Subject || want.Prefix == "Re: " && l.From != want.To {
			continue
		}
		if a.read(x, l) {
			if want.Prefix == "Re: " {
				x.Tap("reply", 0)
			}
			x.Tap("forward", 0)
		}
		return
	}
	if a.Screen == "" {
		x.Tap("new", 0)
	}
}

// withMail is the person of an address, or nil.
func (c *Contacts) withMail(address string) *Person {
	for i := range c.People {
		if c.People[i].Mail == address {
			return &c.People[i]
		}
	}
	return nil
}
