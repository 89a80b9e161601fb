package phone

import (
	"strings"
	"testing"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// filled is a phone with seeded content that shows an app.
func filled(t *testing.T, app string) *Phone {
	t.Helper()
	var r envs.Rand
	r.Seed(5)
	p := new(Phone)
	p.fill(&r)
	p.Update(ui.Event{Kind: ui.Open, Text: app})
	if p.Shown != app {
		t.Fatalf("opened %s, it shows %q", app, p.Shown)
	}
	return p
}

func click(p *Phone, on string, key int) { p.Update(ui.Event{Kind: ui.Click, On: on, Key: key}) }

func write(p *Phone, on, text string) { p.Update(ui.Event{Kind: ui.Input, On: on, Text: text}) }

func back(p *Phone) { p.Update(ui.Event{Kind: ui.Back}) }

// texts are the words of all that is on a phone's screen, in sight or not.
func texts(p *Phone) string {
	tm := from(p)
	var d ui.Device
	d.Start(&tm, 0)
	var out []string
	for i := range d.Screen().Widgets {
		w := &d.Screen().Widgets[i]
		out = append(out, strings.Join([]string{w.Text, w.Desc, w.Value}, "|"))
	}
	return strings.Join(out, "\n")
}

func TestContacts(t *testing.T) {
	p := filled(t, "contacts")
	c := &p.Contacts
	n := len(c.People)

	click(p, "new", 0)
	click(p, "save", 0) // without a name nothing is saved
	write(p, "name", "Aaron Zimmer")
	write(p, "number", "111 555-0100")
	click(p, "save", 0)
	if len(c.People) != n+1 || c.People[0].Name != "Aaron Zimmer" || c.Screen != "" {
		t.Fatalf("after saving: %d people, the first %+v, screen %q", len(c.People), c.People[0], c.Screen)
	}

	write(p, "search", "111 555")
	if s := texts(p); !strings.Contains(s, "Aaron Zimmer") || strings.Contains(s, c.People[1].Name) {
		t.Errorf("the search for a number shows\n%s", s)
	}
	back(p)
	if c.Search != "" || p.Shown != "contacts" {
		t.Errorf("back leaves the search %q in %q", c.Search, p.Shown)
	}

	id := c.People[0].ID
	p.Update(ui.Event{Kind: ui.Press, On: "person", Key: id})
	click(p, "favorite", 0)
	if !c.People[0].Favorite || c.Screen != "" {
		t.Errorf("the menu makes no favorite: %+v, screen %q", c.People[0], c.Screen)
	}
	click(p, "person", id)
	click(p, "delete", 0)
	back(p)
	if c.Screen != "card" || len(c.People) != n+1 {
		t.Errorf("the question is left to %q, %d people", c.Screen, len(c.People))
	}
	click(p, "delete", 0)
	click(p, "sure", 0)
	if c.named("Aaron Zimmer") != nil || len(c.People) != n {
		t.Errorf("%d people after deleting, want %d", len(c.People), n)
	}
}

func TestMessages(t *testing.T) {
	p := filled(t, "contacts")
	q := p.Contacts.People[0]
	p.Messages.dropThread(q.Number)
	n := len(p.Messages.Threads)

	click(p, "person", q.ID)
	click(p, "message", 0) // leads to the other app
	if p.Shown != "messages" || !p.Messages.shows(q.Number) {
		t.Fatalf("%q shows the conversation with %q", p.Shown, p.Messages.Open)
	}
	click(p, "send", 0) // nothing to send
	write(p, "draft", "Good morning")
	p.Update(ui.Event{Kind: ui.Enter, On: "draft"})
	k := p.Messages.thread(q.Number)
	want := Message{Mine: true, Body: "Good morning", Day: p.Today, Minute: p.Now}
	if k == nil || len(p.Messages.Threads) != n+1 || len(k.Texts) != 1 || k.Texts[0].plain() != want {
		t.Fatalf("sent: %+v", k)
	}

	p.Update(ui.Event{Kind: ui.Press, On: "text", Key: k.Texts[0].ID})
	click(p, "starred", 0)
	click(p, "forward", 0)
	other := p.Contacts.People[1]
	click(p, "to", other.ID)
	if p.Messages.Draft != "Good morning" || p.Messages.Open != other.Number {
		t.Errorf("forwarding leaves the draft %q to %q", p.Messages.Draft, p.Messages.Open)
	}
	if !p.Messages.thread(q.Number).Texts[0].Starred {
		t.Error("the message has no star")
	}
	back(p)
	p.Messages.to("222 555-0199")
	click(p, "person", 0)
	if p.Shown != "contacts" || p.Contacts.Draft.Number != "222 555-0199" || p.Contacts.Screen != "edit" {
		t.Errorf("adding a stranger shows %q, %q", p.Shown, p.Contacts.Screen)
	}
}

func TestReadingIsNoChange(t *testing.T) {
	p := filled(t, "messages")
	var before Phone
	p.Messages.receive(p, p.Contacts.People[0].Number, "Hello")
	ui.Copy(&before, p)
	click(p, "thread", p.Messages.Threads[0].ID)
	if p.Messages.Threads[0].Unread {
		t.Error("it is unread after it was shown")
	}
	if d := ui.Diff(&before, p); d != "" {
		t.Error(d)
	}
}

func TestClock(t *testing.T) {
	p := filled(t, "clock")
	c := &p.Clock
	click(p, "new", 0)
	click(p, "time", 0)
	click(p, "hour", 4)
	click(p, "minute", 35)
	click(p, "weekday", 6)
	click(p, "save", 0)
	want := Alarm{Minute: 4*60 + 35, Days: [7]bool{6: true}, On: true}
	if c.Alarms[0].plain() != want {
		t.Fatalf("the first alarm is %+v, want %+v", c.Alarms[0], want)
	}
	if s := texts(p); !strings.Contains(s, "04:35") || !strings.Contains(s, "Sun") {
		t.Errorf("the list shows\n%s", s)
	}
	click(p, "on", c.Alarms[0].ID)
	if c.Alarms[0].On {
		t.Error("it is still on")
	}

	c.Timers = c.Timers[:0]
	click(p, "tab", 1)
	click(p, "new-timer", 0)
	for _, d := range []int{1, 2, 3, 0} {
		click(p, "digit", d)
	}
	click(p, "start", 0)
	if len(c.Timers) != 1 || c.Timers[0].plain() != (Timer{Seconds: 12*60 + 30, Running: true}) {
		t.Errorf("timers: %+v", c.Timers)
	}

	click(p, "tab", 2)
	click(p, "lap", 0) // it doesn't run
	for _, on := range []string{"run", "lap", "lap", "reset"} {
		click(p, on, 0)
	}
	if !c.Running || len(c.Laps) != 2 || c.Laps[1].Second <= c.Laps[0].Second {
		t.Errorf("running %t, laps %v: want two, and no reset while it runs", c.Running, c.Laps)
	}
	click(p, "run", 0)
	click(p, "reset", 0)
	if c.Running || len(c.Laps) != 0 || c.Elapsed != 0 {
		t.Errorf("after a reset: running %t, laps %v, %d s", c.Running, c.Laps, c.Elapsed)
	}
}

func TestCalendar(t *testing.T) {
	p := filled(t, "calendar")
	c := &p.Calendar
	c.Events = c.Events[:0]
	day := ui.DayOf(2, 31)
	c.Month = 2
	click(p, "date", day)
	click(p, "new", 0)
	write(p, "title", "Cheese tasting")
	click(p, "start", 0)
	click(p, "hour", 18)
	click(p, "minute", 0)
	click(p, "long", 0)
	click(p, "length", 5)
	click(p, "weekly", 0)
	click(p, "save", 0)
	want := Event{Title: "Cheese tasting", Day: day, Minute: 18 * 60, Length: 120, Weekly: true, Remind: reminders[0]}
	if len(c.Events) != 1 || c.Events[0].plain() != want || c.Screen != "day" {
		t.Fatalf("events %+v, screen %q; want %+v on the day", c.Events, c.Screen, want)
	}
	if s := texts(p); !strings.Contains(s, "18:00 to 20:00") {
		t.Errorf("the day shows\n%s", s)
	}
	for ahead, n := range map[int]int{-7: 0, 0: 1, 6: 0, 7: 1, 14: 1} {
		if got := c.count(day + ahead); got != n {
			t.Errorf("%d events %d days later, want %d", got, ahead, n)
		}
	}
	back(p)
	click(p, "month-after", 0)
	if c.Month != 3 || !strings.Contains(texts(p), "1 event") {
		t.Errorf("month %d shows\n%s", c.Month, texts(p))
	}
}

func TestNotes(t *testing.T) {
	p := filled(t, "notes")
	n := &p.Notes
	click(p, "folder", 1)
	click(p, "new", 0)
	write(p, "title", "Lamp")
	click(p, "save", 0)
	k := n.titled("Lamp")
	if k == nil || k.Folder != noteFolders[1] {
		t.Fatalf("saved from a folder: %+v", k)
	}
	click(p, "note", k.ID)
	write(p, "entry", "bulb")
	click(p, "enter", 0)
	write(p, "entry", "shade")
	p.Update(ui.Event{Kind: ui.Enter, On: "entry"})
	k = n.titled("Lamp")
	click(p, "done", k.Entries[1].ID)
	click(p, "remove", k.Entries[0].ID)
	if len(k.Entries) != 1 || k.Entries[0].plain() != (Entry{Text: "shade", Done: true}) {
		t.Errorf("entries: %+v", k.Entries)
	}
	click(p, "menu", 0)
	click(p, "pinned", 0)
	click(p, "move", 0)
	click(p, "into", 2)
	if !k.Pinned || k.Folder != noteFolders[2] {
		t.Errorf("after the menu: %+v", k)
	}
	click(p, "delete", 0)
	click(p, "sure", 0)
	if n.has("Lamp") || p.Shown != "notes" {
		t.Error("it is still there")
	}
}

func TestBackLeadsHome(t *testing.T) {
	for _, app := range names {
		p := filled(t, app)
		back(p)
		if p.Shown != "" {
			t.Errorf("back from the first screen of %s shows %q", app, p.Shown)
		}
	}
}
