package phone

import "marlpit/envs/ui"

func (e Message) key() int { return e.ID }

func (e Message) plain() Message { e.ID = 0; return e }

// toward implements mender. What others wrote and somebody deleted can't be had back.
func (m *Messages) toward(p, want *Phone, x *ui.Pilot) bool {
	for i := range m.Threads {
		if t := &m.Threads[i]; want.Messages.thread(t.Number) == nil {
			if !away(p, x, "messages") {
				m.solveDelete(x, t)
			}
			return true
		}
	}
	for i := range want.Messages.Threads {
		w := &want.Messages.Threads[i]
		t := m.thread(w.Number)
		if t != nil && t.Pinned == w.Pinned && t.Muted == w.Muted && sameTexts(t.Texts, w.Texts) {
			continue
		}
		if !away(p, x, "messages") {
			m.solveThread(p, x, t, w)
		}
		return true
	}
	return false
}

// away opens an app where it isn't the one on the screen.
func away(p *Phone, x *ui.Pilot, app string) bool {
	if p.Shown != app {
		x.Open(app)
		return true
	}
	return false
}

func sameTexts(a, b []Message) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].plain() != b[i].plain() {
			return false
		}
	}
	return true
}

// solveThread brings a conversation, nil where there is none, to w.
func (m *Messages) solveThread(p *Phone, x *ui.Pilot, t, w *Thread) {
	var wrong, right *Message
	if t == nil {
		right = &w.Texts[0]
	} else {
		wrong, right = repair(t.Texts, w.Texts)
	}
	switch {
	case wrong != nil && right != nil && wrong.Starred != right.Starred:
		m.solveText(x, t, wrong, "starred")
	case wrong != nil:
		m.solveText(x, t, wrong, "delete-text")
	case right != nil && right.Mine && right.Day == p.Today && right.Minute == p.Now:
		m.solveSend(p, x, w.Number, right.Body)
	case t == nil || right != nil || t.Pinned == w.Pinned && t.Muted == w.Muted:
		x.Infeasible()
	case m.Screen != "menu" || m.Open != t.Number:
		m.hold(x, t)
	case t.Pinned != w.Pinned:
		x.Tap("pinned", 0)
	default:
		x.Tap("muted", 0)
	}
}

// hold opens the menu of a conversation.
func (m *Messages) hold(x *ui.Pilot, t *Thread) {
	if m.Screen == "" {
		x.Hold("thread", t.ID)
	}
	x.Back()
}

// solveDelete takes a conversation out.
func (m *Messages) solveDelete(x *ui.Pilot, t *Thread) {
	switch {
	case m.Screen == "delete" && m.Open == t.Number:
		x.Tap("sure", 0)
	case m.Screen == "menu" && m.Open == t.Number:
		x.Tap("delete", 0)
	default:
		m.hold(x, t)
	}
}

// solveText clicks an entry of a message's menu.
func (m *Messages) solveText(x *ui.Pilot, t *Thread, e *Message, entry string) {
	switch {
	case m.Screen == "text" && m.Open == t.Number && m.Text == e.ID:
		x.Tap(entry, 0)
	case m.Screen == "thread" && m.Open == t.Number:
		x.Hold("text", e.ID)
	case m.Screen == "":
		x.Tap("thread", t.ID)
	}
	x.Back()
}

// solveSend sends a message.
func (m *Messages) solveSend(p *Phone, x *ui.Pilot, number, body string) {
	switch {
	case m.Screen != "thread" || m.Open != number:
		m.solveOpen(p, x, number)
	case m.Draft != body:
		x.Type("draft", 0, body)
	default:
		x.Tap("send", 0)
	}
}

// solveOpen opens the conversation with a number.
func (m *Messages) solveOpen(p *Phone, x *ui.Pilot, number string) {
	t, q := m.thread(number), p.Contacts.numbered(number)
	switch {
	case m.Screen == "" && t != nil:
		x.Tap("thread", t.ID)
	case m.Screen == "":
		x.Tap("new", 0)
	case m.Screen == "new" && q != nil:
		x.Tap("to", q.ID)
	case m.Screen == "new" && m.Search == number:
		x.Tap("number", 0)
	case m.Screen == "new" && m.Search == "":
		x.Type("search", 0, number)
	}
	x.Back()
}

// shows says whether the conversation with a number is what the app shows, even behind other apps.
func (m *Messages) shows(number string) bool { return m.Screen == "thread" && m.Open == number }

// look brings the conversation with a number onto the screen; false where it is there.
func (m *Messages) look(p *Phone, x *ui.Pilot, number string) bool {
	if away(p, x, "messages") {
		return true
	}
	if m.shows(number) {
		return false
	}
	m.solveOpen(p, x, number)
	return true
}

// lacks says whether messages that the task wants are missing in the conversation with a number.
func (m *Messages) lacks(x *ui.Pilot, number string) bool {
	t, w := m.thread(number), ui.Target[Phone](x).Messages.thread(number)
	return t == nil || w != nil && len(t.Texts) < len(w.Texts)
}
