package phone

import "marlpit/envs/ui"

func (c *Calendar) view(p *Phone, b *ui.Builder) {
	e := c.event(c.Open)
	switch {
	case c.Screen == "edit":
		c.viewEdit(b, e != nil)
	case e != nil && (c.Screen == "event" || c.Screen == "delete"):
		viewEvent(b, e)
		if c.Screen == "delete" {
			sure(b, b.Cat("Delete ", e.Title, "?"))
		}
	case c.Screen == "day":
		c.viewDay(b)
	case c.Screen == "agenda":
		c.viewAgenda(p, b)
	default:
		c.viewMonth(p, b)
	}
}

func (c *Calendar) viewMonth(p *Phone, b *ui.Builder) {
	b.Heading(ui.MonthName(c.Month))
	b.Button("agenda", 0, "Agenda")
	b.Row(3)
	b.Icon("month-before", 0, "Month before")
	b.Button("new", 0, "Add event")
	b.Icon("month-after", 0, "Month after")
	first := ui.DayOf(wrap(c.Month), 1)
	at := (first + 3) % 7 // weeks start on Monday, and day 0 is a Thursday
	b.Row(7)
	for range at {
		b.Label("")
	}
	for day := first; day < first+ui.MonthDays(c.Month); day++ {
		if at%7 == 0 && day > first {
			b.Row(7)
		}
		at++
		desc := ""
		switch n := c.count(day); n {
		case 0:
		case 1:
			desc = "1 event"
		default:
			desc = b.Cat(b.Int(n), " events")
		}
		b.Button("date", day, b.Int(day-first+1)).Describe(desc).Select(day == p.Today)
	}
}

// when is the time from which to which an event takes place.
func when(b *ui.Builder, e *Event) string {
	return b.Cat(b.Clock(e.Minute), " to ", b.Clock(e.Minute+e.Length))
}

func (c *Calendar) viewDay(b *ui.Builder) {
	b.Heading(b.Date(c.Day))
	b.Row(3)
	b.Icon("day-before", 0, "Day before")
	b.Button("new", 0, "Add event")
	b.Icon("day-after", 0, "Day after")
	b.Scroll("events", 0)
	for i := range c.Events {
		if e := &c.Events[i]; e.on(c.Day) {
			b.Item("event", e.ID, e.Title, b.Cat(when(b, e), ", ", e.Place))
		}
	}
	b.End()
}

func (c *Calendar) viewAgenda(p *Phone, b *ui.Builder) {
	b.Heading("Agenda")
	b.Row(2)
	b.Button("month", 0, "Month")
	b.Button("new", 0, "Add event")
	b.Field("search", 0, "Search", c.Search)
	b.Scroll("agenda-events", 0)
	for i := range c.Events {
		if e := &c.Events[i]; c.coming(p, e) {
			b.Item("event", e.ID, e.Title, b.Cat(b.Date(e.Day), " ", b.Clock(e.Minute)))
		}
	}
	b.End()
}

func viewEvent(b *ui.Builder, e *Event) {
	b.Heading(e.Title)
	b.Label(b.Date(e.Day)).Describe("date")
	b.Label(when(b, e)).Describe("time")
	b.Label(e.Place).Describe("place")
	b.Label(e.Remind).Describe("reminder")
	if e.Weekly {
		b.Label("Every week")
	}
	b.Row(2)
	b.Button("edit", 0, "Edit")
	b.Button("delete", 0, "Delete")
}

func (c *Calendar) viewEdit(b *ui.Builder, old bool) {
	d := &c.Draft
	if old {
		b.Heading("Edit event")
	} else {
		b.Heading("New event")
	}
	b.Field("title", 0, "Title", d.Title)
	b.Field("place", 0, "Place", d.Place)
	b.Select("on", 0, "Date", b.Date(d.Day))
	b.Row(2)
	b.Select("start", 0, "Start", b.Clock(d.Minute))
	b.Select("long", 0, "Length", lengthWord(b, d.Length))
	b.Row(2)
	b.Select("announce", 0, "Reminder", d.Remind)
	b.Switch("weekly", 0, "Every week", d.Weekly)
	b.Row(2)
	b.Button("cancel", 0, "Cancel")
	b.Button("save", 0, "Save").Disable(d.Title == "")
	switch c.Pick {
	case "day":
		viewDays(b, c.Month, d.Day)
	case "hour", "minute":
		viewTime(b, c.Pick, d.Minute)
	case "length":
		choose(b, "length", "Length", lengthWords, lengthWord(b, d.Length))
	case "remind":
		choose(b, "remind", "Reminder", reminders, d.Remind)
	}
}
