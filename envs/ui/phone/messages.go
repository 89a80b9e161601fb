package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Messages is the app of conversations.
type Messages struct {
	Threads []Thread `ui:"set"` // shown in this order, pinned ones first
	Next    int      `ui:"id"`  // the next ID, of a thread or a message

	Screen string `ui:"view"` // "" the list, "menu", "delete", "new", "thread", "text", "forward"
	Open   string `ui:"view"` // number of the conversation shown
	Text   int    `ui:"view"` // ID of the message whose menu is shown
	Search string `ui:"view"` // in the list, or for whom to write to
	Draft  string `ui:"view"`
}

// Thread is the conversation with one number.
type Thread struct {
	ID     int `ui:"id"`
	Number string
	Pinned bool
	Muted  bool
	Unread bool `ui:"view"` // reading is no change
	Texts  []Message
}

// Message is one message of a conversation.
type Message struct {
	ID      int `ui:"id"`
	Mine    bool
	Body    string
	Day     int // as ui.Date's
	Minute  int // since midnight
	Starred bool
}

// chatter is what people write about nothing in particular.
var chatter = []string{"How was your weekend?", "The train was late again.", "I found your umbrella.", "Did you see the snow?",
	"Happy birthday to your sister!", "The soup turned out well.", "I will call you tonight.", "My phone was off, sorry.",
	"That film was far too long.", "Thanks for the ride.", "The cat is fine.", "I moved the sofa.", "Who won the match?",
	"We are nearly there.", "The new desk is great.", "No news from the landlord yet."}

func (m *Messages) fill(p *Phone, r *envs.Rand) {
	m.Threads, m.Next = m.Threads[:0], 1
	for _, q := range ui.Draw(r, p.Contacts.People, 5+r.Intn(3)) {
		t := m.start(q.Number)
		t.Unread = r.Intn(3) == 0
		for i, body := range ui.Draw(r, chatter, 2+r.Intn(3)) {
			m.add(q.Number, Message{Mine: i%2 == 1, Body: body, Day: p.Today - 5 + i, Minute: 540 + 5*r.Intn(140)})
		}
	}
	m.open()
}

// thread is the conversation with a number, or nil.
func (m *Messages) thread(number string) *Thread {
	for i := range m.Threads {
		if m.Threads[i].Number == number {
			return &m.Threads[i]
		}
	}
	return nil
}

// threadOf is the conversation of an ID, or nil.
func (m *Messages) threadOf(id int) *Thread {
	for i := range m.Threads {
		if m.Threads[i].ID == id {
			return &m.Threads[i]
		}
	}
	return nil
}

// start begins a conversation, in memory of one that is gone where there is any.
func (m *Messages) start(number string) *Thread {
	m.Threads = room(m.Threads)
	t := &m.Threads[len(m.Threads)-1]
	*t = Thread{ID: m.Next, Number: number, Texts: emptied(t.Texts)}
	m.Next++
	return t
}

// add ends a conversation with a message, and puts it on top of the list.
func (m *Messages) add(number string, e Message) {
	t := m.thread(number)
	if t == nil {
		t = m.start(number)
	}
	e.ID = m.Next
	m.Next++
	t.Texts = append(t.Texts, e)
	for i := range m.Threads {
		if m.Threads[i].ID == t.ID {
			top := m.Threads[i]
			copy(m.Threads[1:], m.Threads[:i])
			m.Threads[0] = top
			return
		}
	}
}

// send sends a message to a number, now.
func (m *Messages) send(p *Phone, number, body string) {
	m.add(number, Message{Mine: true, Body: body, Day: p.Today, Minute: p.Now})
}

// receive is a message of somebody, a while ago.
func (m *Messages) receive(p *Phone, number, body string) {
	m.add(number, Message{Body: body, Day: p.Today, Minute: p.Now - 25})
	m.thread(number).Unread = true
}

// text is a message of the conversation, or nil.
func (t *Thread) text(id int) *Message {
	for i := range t.Texts {
		if t.Texts[i].ID == id {
			return &t.Texts[i]
		}
	}
	return nil
}

// dropThread takes the conversation with a number out.
func (m *Messages) dropThread(number string) {
	for i := range m.Threads {
		if m.Threads[i].Number == number {
			m.Threads = discard(m.Threads, i)
			return
		}
	}
}

// dropText takes a message out, and its conversation where it was the last.
func (m *Messages) dropText(t *Thread, id int) {
	for i := range t.Texts {
		if t.Texts[i].ID == id {
			t.Texts = slices.Delete(t.Texts, i, i+1)
			break
		}
	}
	if len(t.Texts) == 0 {
		m.dropThread(t.Number)
	}
}

// to shows the conversation with a number.
func (m *Messages) to(number string) {
	m.Screen, m.Open, m.Text, m.Draft, m.Search = "thread", number, 0, "", ""
	if t := m.thread(number); t != nil {
		t.Unread = false
	}
}

func (m *Messages) open() {
	m.Screen, m.Open, m.Text, m.Search, m.Draft = "", "", 0, "", ""
}

// nameOf is the name of a number's owner, else the number.
func (c *Contacts) nameOf(number string) string {
	if q := c.numbered(number); q != nil {
		return q.Name
	}
	return number
}
