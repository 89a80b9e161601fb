package phone

import "marlpit/envs/ui"

func (m *Messages) view(p *Phone, b *ui.Builder) {
	t := m.thread(m.Open)
	switch m.Screen {
	case "thread", "text":
		m.viewThread(p, b, t)
	case "new":
		m.viewReceivers(p, b, "New message")
	case "forward":
		m.viewReceivers(p, b, "Forward to")
	default:
		m.viewList(p, b)
	}
	switch {
	case t == nil: // what follows is about a conversation
	case m.Screen == "menu":
		menu(b, p.Contacts.nameOf(t.Number))
		b.Switch("pinned", 0, "Pinned", t.Pinned)
		b.Switch("muted", 0, "Muted", t.Muted)
		b.Button("delete", 0, "Delete")
	case m.Screen == "delete":
		sure(b, b.Cat("Delete all messages with ", p.Contacts.nameOf(t.Number), "?"))
	case m.Screen == "text" && t.text(m.Text) != nil:
		menu(b, "Message")
		b.Label(t.text(m.Text).Body)
		b.Switch("starred", 0, "Starred", t.text(m.Text).Starred)
		b.Button("forward", 0, "Forward")
		b.Button("delete-text", 0, "Delete")
	}
}

func (m *Messages) viewList(p *Phone, b *ui.Builder) {
	b.Heading("Messages")
	b.Button("new", 0, "New message")
	b.Field("search", 0, "Search", m.Search)
	b.Scroll("threads", 0)
	for _, pinned := range [2]bool{true, false} {
		for i := range m.Threads {
			if t := &m.Threads[i]; t.Pinned == pinned && m.matches(p, t) {
				b.Item("thread", t.ID, p.Contacts.nameOf(t.Number), m.second(b, t)).Long()
			}
		}
	}
	b.End()
}

// second is the second line of a conversation in the list.
func (m *Messages) second(b *ui.Builder, t *Thread) string {
	mark := ""
	switch {
	case t.Pinned:
		mark = "Pinned: "
	case t.Unread:
		mark = "New: "
	}
	if len(t.Texts) == 0 {
		return mark
	}
	return b.Cat(mark, t.Texts[len(t.Texts)-1].Body)
}

// matches says whether the search finds a conversation, by name or by words in it.
func (m *Messages) matches(p *Phone, t *Thread) bool {
	if hasFold(p.Contacts.nameOf(t.Number), m.Search) {
		return true
	}
	for i := range t.Texts {
		if hasFold(t.Texts[i].Body, m.Search) {
			return true
		}
	}
	return false
}

// viewReceivers lists whom one can write to.
func (m *Messages) viewReceivers(p *Phone, b *ui.Builder, title string) {
	b.Heading(title)
	b.Field("search", 0, "Name or number", m.Search)
	if m.Search != "" && m.Search[0] >= '0' && m.Search[0] <= '9' && p.Contacts.numbered(m.Search) == nil {
		b.Button("number", 0, b.Cat("Send to ", m.Search))
	}
	b.Scroll("receivers", 0)
	for i := range p.Contacts.People {
		if q := &p.Contacts.People[i]; hasFold(q.Name, m.Search) || hasFold(q.Number, m.Search) {
			b.Item("to", q.ID, q.Name, "")
		}
	}
	b.End()
}

func (m *Messages) viewThread(p *Phone, b *ui.Builder, t *Thread) {
	b.Heading(p.Contacts.nameOf(m.Open))
	if p.Contacts.numbered(m.Open) != nil {
		b.Button("person", 0, "Show contact")
	} else {
		b.Button("person", 0, "Add to contacts")
	}
	b.Scroll("texts", 96)
	for i := 0; t != nil && i < len(t.Texts); i++ {
		e := &t.Texts[i]
		who, star := "", ""
		if e.Mine {
			who = "You, "
		}
		if e.Starred {
			star = ", starred"
		}
		b.Item("text", e.ID, e.Body, b.Cat(who, b.Date(e.Day), " ", b.Clock(e.Minute), star)).Set(ui.Clickable, false).Long()
	}
	b.End()
	b.Field("draft", 0, "Message", m.Draft)
	b.Button("send", 0, "Send").Disable(m.Draft == "")
}
