package phone

import "marlpit/envs/ui"

func (m *Messages) update(p *Phone, e ui.Event) bool {
	t := m.thread(m.Open)
	switch {
	case e.Kind == ui.Back:
		return m.back()
	case e.Is(ui.Click, "close"):
		m.back()
	case e.Is(ui.Input, "search"):
		m.Search = e.Text
	case m.Screen == "new" || m.Screen == "forward":
		m.updateReceivers(p, e)
	case e.Is(ui.Click, "new"):
		m.Screen, m.Search = "new", ""
	case e.Is(ui.Click, "thread"), e.Is(ui.Press, "thread"):
		if k := m.threadOf(e.Key); k != nil {
			m.to(k.Number)
			if e.Kind == ui.Press {
				m.Screen = "menu"
			}
		}
	case m.Screen == "thread":
		m.updateThread(p, e, t)
	case t != nil && m.Screen == "text":
		m.updateText(e, t)
	case t != nil:
		m.updateMenu(e, t)
	}
	return true
}

// back leaves a screen; false where there is none to leave.
func (m *Messages) back() bool {
	switch m.Screen {
	case "":
		if m.Search == "" {
			return false
		}
		m.open()
	case "text":
		m.Screen = "thread"
	case "forward":
		m.Screen, m.Search = "thread", ""
	default:
		m.open()
	}
	return true
}

// updateMenu handles the menu of a conversation and its question.
func (m *Messages) updateMenu(e ui.Event, t *Thread) {
	switch {
	case e.Is(ui.Click, "pinned"):
		t.Pinned = !t.Pinned
	case e.Is(ui.Click, "muted"):
		t.Muted = !t.Muted
	case e.Is(ui.Click, "delete"):
		m.Screen = "delete"
	case e.Is(ui.Click, "sure") && m.Screen == "delete":
		m.dropThread(t.Number)
		m.open()
	}
}

// updateReceivers handles the choice of whom to write to.
func (m *Messages) updateReceivers(p *Phone, e ui.Event) {
	number := ""
	if q := p.Contacts.person(e.Key); e.Is(ui.Click, "to") && q != nil {
		number = q.Number
	}
	if e.Is(ui.Click, "number") {
		number = m.Search
	}
	if number == "" {
		return
	}
	body := ""
	if t := m.thread(m.Open); m.Screen == "forward" && t != nil && t.text(m.Text) != nil {
		body = t.text(m.Text).Body
	}
	m.to(number)
	m.Draft = body
}

func (m *Messages) updateThread(p *Phone, e ui.Event, t *Thread) {
	switch {
	case e.Is(ui.Click, "person"):
		q := p.Contacts.numbered(m.Open)
		p.show("contacts")
		if q != nil {
			p.Contacts.Screen, p.Contacts.Open = "card", q.ID
		} else {
			p.Contacts.Screen, p.Contacts.Draft = "edit", Person{Number: m.Open}
		}
	case e.Is(ui.Input, "draft"):
		m.Draft = e.Text
	case (e.Is(ui.Click, "send") || e.Is(ui.Enter, "draft")) && m.Draft != "" && m.Open != "":
		m.send(p, m.Open, m.Draft)
		m.Draft = ""
	case e.Is(ui.Press, "text") && t != nil:
		m.Screen, m.Text = "text", e.Key
	}
}

// updateText handles the menu of a message.
func (m *Messages) updateText(e ui.Event, t *Thread) {
	k := t.text(m.Text)
	switch {
	case k == nil: // the message is gone
	case e.Is(ui.Click, "starred"):
		k.Starred = !k.Starred
	case e.Is(ui.Click, "forward"):
		m.Screen, m.Search = "forward", ""
	case e.Is(ui.Click, "delete-text"):
		m.dropText(t, k.ID)
		m.Screen = "thread"
	}
}
