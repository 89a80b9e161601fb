package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Calendar is the app of appointments.
type Calendar struct {
	Events []Event `ui:"set"` // in the order of their times
	Next   int     `ui:"id"`  // the next event's ID

	Screen string `ui:"view"` // "" the month, "agenda", "day", "event", "edit", "delete"
	From   string `ui:"view"` // the screen that "event" and "edit" go back to
	Pick   string `ui:"view"` // over "edit": "", "day", "hour", "minute", "length", "remind"
	Month  int    `ui:"view"` // shown by the month, or to pick a day of
	Day    int    `ui:"view"` // shown by "day"
	Open   int    `ui:"view"` // ID of the event shown, 0 for a new one
	Search string `ui:"view"` // of the agenda
	Draft  Event  `ui:"view"`
}

// Event is one appointment.
type Event struct {
	ID     int `ui:"id"`
	Title  string
	Place  string
	Day    int  // as ui.Date's
	Minute int  // since midnight
	Length int  // minutes
	Weekly bool // it comes again every week
	Remind string
}

var (
	// lengths are what an event may take, in minutes, and lengthWords their words.
	lengths     = []int{15, 30, 45, 60, 90, 120}
	lengthWords = []string{"15 minutes", "30 minutes", "45 minutes", "1 hour", "1.5 hours", "2 hours"}

	// reminders are when an event may be announced; the first is none.
	reminders = []string{"No reminder", "10 minutes before", "1 hour before", "1 day before"}

	// eventTitles are what people do on a day, and places where.
	eventTitles = []string{"Dentist", "Choir", "Swimming", "Budget talk", "Book club", "Haircut", "Parents evening", "Car check",
		"Pottery class", "Lunch with Theo", "Eye test", "House viewing", "Chess night", "Flu shot", "Staff meeting", "Tax advice"}
	places = []string{"Mill Street 4", "Town hall", "Room 12", "Riverside", "Old station", "Library", "Corner cafe", "Gate B"}
)

func (c *Calendar) fill(p *Phone, r *envs.Rand) {
	c.Events, c.Next = c.Events[:0], 1
	for _, title := range ui.Draw(r, eventTitles, 8+r.Intn(3)) {
		c.put(Event{Title: title, Place: ui.Pick(r, places), Day: p.Today + r.Intn(22) - 2, Minute: 480 + 15*r.Intn(40),
			Length: ui.Pick(r, lengths), Remind: ui.Pick(r, reminders)})
	}
	c.open()
	c.Month, c.Day = monthOf(p.Today), p.Today
}

// put adds an event under an ID of its own.
func (c *Calendar) put(e Event) {
	e.ID = c.Next
	c.Next++
	c.Events = append(c.Events, e)
	c.sort()
}

func (c *Calendar) sort() {
	slices.SortStableFunc(c.Events, func(a, b Event) int {
		if a.Day != b.Day {
			return a.Day - b.Day
		}
		return a.Minute - b.Minute
	})
}

// event is the one of an ID, or nil.
func (c *Calendar) event(id int) *Event {
	for i := range c.Events {
		if c.Events[i].ID == id {
			return &c.Events[i]
		}
	}
	return nil
}

// titled is the event of a title, or nil.
func (c *Calendar) titled(title string) *Event {
	for i := range c.Events {
		if c.Events[i].Title == title {
			return &c.Events[i]
		}
	}
	return nil
}

func (c *Calendar) has(title string) bool { return c.titled(title) != nil }

// drop takes the event of an ID out.
func (c *Calendar) drop(id int) {
	for i := range c.Events {
		if c.Events[i].ID == id {
			c.Events = slices.Delete(c.Events, i, i+1)
			return
		}
	}
}

// on says whether the event takes place on a day.
func (e *Event) on(day int) bool {
	return e.Day == day || e.Weekly && day > e.Day && (day-e.Day)%7 == 0
}

// count is how many events a day has.
func (c *Calendar) count(day int) (n int) {
	for i := range c.Events {
		if c.Events[i].on(day) {
			n++
		}
	}
	return n
}

// coming says whether the agenda lists an event.
func (c *Calendar) coming(p *Phone, e *Event) bool {
	return (e.Day >= p.Today || e.Weekly) && (hasFold(e.Title, c.Search) || hasFold(e.Place, c.Search))
}

func (c *Calendar) open() {
	c.Screen, c.From, c.Pick, c.Open, c.Search, c.Draft = "", "", "", 0, "", Event{}
}

// lengthWord is a length in words.
func lengthWord(b *ui.Builder, minutes int) string {
	for i, n := range lengths {
		if n == minutes {
			return lengthWords[i]
		}
	}
	return b.Cat(b.Int(minutes), " minutes")
}
