package phone

import "marlpit/envs/ui"

func (c *Calendar) update(p *Phone, e ui.Event) bool {
	v := c.event(c.Open)
	switch {
	case e.Kind == ui.Back:
		return c.back()
	case e.Is(ui.Click, "close"), e.Is(ui.Click, "cancel"):
		c.back()
	case c.Screen == "edit" && c.Pick != "":
		c.updatePick(e)
	case c.Screen == "edit":
		c.updateEdit(e, v)
	case e.Is(ui.Click, "month"):
		c.Screen = ""
	case e.Is(ui.Click, "agenda"):
		c.Screen, c.Search = "agenda", ""
	case e.Is(ui.Input, "search"):
		c.Search = e.Text
	case e.Is(ui.Click, "month-before"):
		c.Month = wrap(wrap(c.Month) + 11)
	case e.Is(ui.Click, "month-after"):
		c.Month = wrap(wrap(c.Month) + 1)
	case e.Is(ui.Click, "date"):
		c.Screen, c.Day = "day", within(e.Key)
	case e.Is(ui.Click, "day-before"):
		c.Day = within(c.Day - 1)
	case e.Is(ui.Click, "day-after"):
		c.Day = within(c.Day + 1)
	case e.Is(ui.Click, "new"):
		c.edit(Event{Day: p.Today, Minute: 12 * 60, Length: 60, Remind: reminders[0]})
	case e.Is(ui.Click, "event") && c.event(e.Key) != nil:
		c.From, c.Screen, c.Open = c.Screen, "event", e.Key
	case v != nil:
		c.updateEvent(e, v)
	}
	return true
}

// within brings a day into the year.
func within(day int) int { return max(0, min(ui.DaysInYear-1, day)) }

// edit shows the form of an event.
func (c *Calendar) edit(e Event) {
	if e.ID == 0 {
		c.From = c.Screen
	}
	if e.ID == 0 && c.Screen == "day" {
		e.Day = c.Day
	}
	c.Screen, c.Pick, c.Open, c.Draft = "edit", "", e.ID, e
}

// back leaves a screen; false where there is none to leave.
func (c *Calendar) back() bool {
	switch {
	case c.Screen == "edit" && c.Pick != "":
		c.Pick = ""
	case c.Screen == "delete" || c.Screen == "edit" && c.event(c.Open) != nil:
		c.Screen = "event"
	case c.Screen == "edit" || c.Screen == "event":
		c.leave()
	case c.Screen == "agenda" && c.Search != "":
		c.Search = ""
	case c.Screen != "":
		c.Screen = ""
	default:
		return false
	}
	return true
}

// leave goes back to where an event was opened.
func (c *Calendar) leave() {
	c.Screen, c.Open, c.Pick = "", 0, ""
	if c.From == "day" || c.From == "agenda" {
		c.Screen = c.From
	}
}

func (c *Calendar) updateEvent(e ui.Event, v *Event) {
	switch {
	case e.Is(ui.Click, "edit"):
		c.edit(*v)
	case e.Is(ui.Click, "delete"):
		c.Screen = "delete"
	case e.Is(ui.Click, "sure") && c.Screen == "delete":
		c.drop(v.ID)
		c.leave()
	}
}

func (c *Calendar) updateEdit(e ui.Event, v *Event) {
	d := &c.Draft
	switch {
	case e.Is(ui.Input, "title"):
		d.Title = e.Text
	case e.Is(ui.Input, "place"):
		d.Place = e.Text
	case e.Is(ui.Click, "on"):
		c.Pick, c.Month = "day", monthOf(d.Day)
	case e.Is(ui.Click, "start"):
		c.Pick = "hour"
	case e.Is(ui.Click, "long"):
		c.Pick = "length"
	case e.Is(ui.Click, "announce"):
		c.Pick = "remind"
	case e.Is(ui.Click, "weekly"):
		d.Weekly = !d.Weekly
	case e.Is(ui.Click, "save") && d.Title != "" && v != nil:
		d.ID = v.ID
		*v = *d
		c.sort()
		c.Screen = "event"
	case e.Is(ui.Click, "save") && d.Title != "":
		c.put(*d)
		c.leave()
	}
}

// updatePick handles what covers the form.
func (c *Calendar) updatePick(e ui.Event) {
	d := &c.Draft
	switch c.Pick {
	case "day":
		if day := updateDays(e, &c.Month); day >= 0 {
			d.Day, c.Pick = day, ""
		}
	case "hour", "minute":
		updateTime(e, &c.Pick, &d.Minute)
	case "length":
		if s, ok := chosen(e, "length", lengthWords); ok {
			d.Length, c.Pick = lengths[index(lengthWords, s)], ""
		}
	case "remind":
		if s, ok := chosen(e, "remind", reminders); ok {
			d.Remind, c.Pick = s, ""
		}
	default:
		c.Pick = ""
	}
}
