package phone

import "marlpit/envs/ui"

func (e Event) key() int { return e.ID }

func (e Event) plain() Event { e.ID = 0; return e }

// toward implements mender.
func (c *Calendar) toward(p, want *Phone, x *ui.Pilot) bool {
	wrong, right := repair(c.Events, want.Calendar.Events)
	switch {
	case wrong == nil && right == nil:
		return false
	case away(p, x, "calendar"):
	case right == nil || wrong != nil && surplus(wrong.Place, right.Place):
		c.solveDelete(p, x, wrong)
	default:
		c.solveWrite(p, x, wrong, right)
	}
	return true
}

// solveEvent opens an event, from anywhere in the app.
func (c *Calendar) solveEvent(p *Phone, x *ui.Pilot, e *Event) {
	month := monthOf(e.Day)
	switch {
	case c.Screen == "day" && e.on(c.Day), c.Screen == "agenda":
		x.Tap("event", e.ID)
	case c.Screen == "" && e.Day >= p.Today:
		x.Tap("agenda", 0)
	case c.Screen == "" && wrap(c.Month) == month:
		x.Tap("date", e.Day)
	case c.Screen == "" && wrap(month-wrap(c.Month)) <= 6:
		x.Tap("month-after", 0)
	case c.Screen == "":
		x.Tap("month-before", 0)
	}
	x.Back()
}

func (c *Calendar) solveDelete(p *Phone, x *ui.Pilot, e *Event) {
	switch {
	case c.Screen == "delete" && c.Open == e.ID:
		x.Tap("sure", 0)
	case c.Screen == "event" && c.Open == e.ID:
		x.Tap("delete", 0)
	default:
		c.solveEvent(p, x, e)
	}
}

// solveWrite changes an event, or makes one where now is nil.
func (c *Calendar) solveWrite(p *Phone, x *ui.Pilot, now, want *Event) {
	id := 0
	if now != nil {
		id = now.ID
	}
	switch {
	case c.Screen == "edit" && c.Open == id:
		c.solveDraft(x, want)
	case now == nil:
		x.Tap("new", 0)
	case c.Screen == "event" && c.Open == id:
		x.Tap("edit", 0)
	default:
		c.solveEvent(p, x, now)
	}
}

// solveDraft fills the form of an event and saves it.
func (c *Calendar) solveDraft(x *ui.Pilot, want *Event) {
	d := &c.Draft
	switch {
	case c.Pick == "day":
		solveDay(x, wrap(c.Month), want.Day)
	case c.Pick == "length":
		for i, n := range lengths {
			if n == want.Length {
				x.Tap("length", i)
			}
		}
	case c.Pick == "remind":
		x.Tap("remind", index(reminders, want.Remind))
	case c.Pick != "":
		solveTime(x, c.Pick, d.Minute, want.Minute)
	case enter(x, "title", d.Title, want.Title), enter(x, "place", d.Place, want.Place):
	case d.Day != want.Day:
		x.Tap("on", 0)
	case d.Minute != want.Minute:
		x.Tap("start", 0)
	case d.Length != want.Length:
		x.Tap("long", 0)
	case d.Remind != want.Remind:
		x.Tap("announce", 0)
	case d.Weekly != want.Weekly:
		x.Tap("weekly", 0)
	default:
		x.Tap("save", 0)
	}
}

// shows says whether an event's own screen is what the app shows, even behind other apps.
func (c *Calendar) shows(title string) bool {
	e := c.titled(title)
	return e != nil && c.Screen == "event" && c.Open == e.ID
}

// look brings an event onto the screen; false where it is there, or there is none.
func (c *Calendar) look(p *Phone, x *ui.Pilot, title string) bool {
	e := c.titled(title)
	switch {
	case e == nil || p.Shown == "calendar" && c.shows(title):
		return false
	case away(p, x, "calendar"):
	default:
		c.solveEvent(p, x, e)
	}
	return true
}

// lookDay brings a day onto the screen; false where it is there.
func (c *Calendar) lookDay(p *Phone, x *ui.Pilot, day int) bool {
	month := monthOf(day)
	switch {
	case away(p, x, "calendar"):
	case c.Screen == "day" && c.Day == day:
		return false
	case c.Screen == "day" && c.Day == day+1:
		x.Tap("day-before", 0)
	case c.Screen == "day" && c.Day == day-1:
		x.Tap("day-after", 0)
	case c.Screen == "agenda":
		x.Tap("month", 0)
	case c.Screen != "":
		x.Back()
	case wrap(c.Month) == month:
		x.Tap("date", day)
	case wrap(month-wrap(c.Month)) <= 6:
		x.Tap("month-after", 0)
	default:
		x.Tap("month-before", 0)
	}
	return true
}
