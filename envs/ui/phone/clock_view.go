package phone

import "marlpit/envs/ui"

func (c *Clock) view(_ *Phone, b *ui.Builder) {
	switch c.Screen {
	case "alarm", "delete":
		c.viewAlarm(b)
		return
	case "timer":
		c.viewKeypad(b)
		return
	}
	b.Heading("Clock")
	b.Row(3)
	for i, t := range clockTabs {
		b.Tab("tab", i, t, i == c.Tab)
	}
	switch c.Tab {
	case 1:
		c.viewTimers(b)
	case 2:
		c.viewStopwatch(b)
	default:
		c.viewAlarms(b)
	}
}

func (c *Clock) viewAlarms(b *ui.Builder) {
	b.Button("new", 0, "Add alarm")
	b.Scroll("alarms", 0)
	for i := range c.Alarms {
		a := &c.Alarms[i]
		b.Row(2)
		b.Item("alarm", a.ID, b.Clock(a.Minute), b.Cat(a.Label, ", ", daysOf(b, &a.Days)))
		b.Switch("on", a.ID, "On", a.On)
	}
	b.End()
}

// daysOf is when an alarm rings, in words.
func daysOf(b *ui.Builder, days *[7]bool) string {
	switch *days {
	case [7]bool{}:
		return "once"
	case [7]bool{true, true, true, true, true}:
		return "Mon to Fri"
	case [7]bool{5: true, 6: true}:
		return "weekends"
	case [7]bool{true, true, true, true, true, true, true}:
		return "every day"
	}
	s := ""
	for i, on := range days {
		switch {
		case on && s == "":
			s = weekdays[i]
		case on:
			s = b.Cat(s, " ", weekdays[i])
		}
	}
	return s
}

func (c *Clock) viewAlarm(b *ui.Builder) {
	d := &c.Draft
	if c.alarm(c.Open) != nil {
		b.Heading("Edit alarm")
	} else {
		b.Heading("New alarm")
	}
	b.Select("time", 0, "Time", b.Clock(d.Minute))
	b.Field("label", 0, "Label", d.Label)
	for i, w := range weekdays {
		if i%4 == 0 {
			b.Row(min(4, 7-i))
		}
		b.Check("weekday", i, w, d.Days[i])
	}
	b.Switch("vibrate", 0, "Vibrate", d.Vibrate)
	b.Row(3)
	b.Button("cancel", 0, "Cancel")
	b.Button("delete", 0, "Delete").Disable(c.alarm(c.Open) == nil)
	b.Button("save", 0, "Save")
	switch {
	case c.Screen == "delete":
		sure(b, "Delete this alarm?")
	case c.Pick != "":
		viewTime(b, c.Pick, d.Minute)
	}
}

// span is a number of seconds as hours, minutes and seconds.
func span(b *ui.Builder, seconds int) string {
	return b.Cat(b.Clock(seconds/60), ":", b.Clock(seconds % 60)[3:])
}

func (c *Clock) viewTimers(b *ui.Builder) {
	b.Button("new-timer", 0, "Add timer")
	b.Scroll("timers", 0)
	for i := range c.Timers {
		t := &c.Timers[i]
		b.Row(3)
		word, state := "Start", "paused"
		if t.Running {
			word, state = "Pause", "running"
		}
		b.Item("timer", t.ID, span(b, t.Seconds), state).Set(ui.Clickable, false)
		b.Button("toggle", t.ID, word)
		b.Button("drop", t.ID, "Delete")
	}
	b.End()
}

func (c *Clock) viewKeypad(b *ui.Builder) {
	b.Heading("New timer")
	b.Label(span(b, typed(c.Digits))).Describe("length")
	for d := 1; d <= 9; d++ {
		if d%3 == 1 {
			b.Row(3)
		}
		b.Button("digit", d, b.Int(d))
	}
	b.Row(3)
	b.Button("zeros", 0, "00")
	b.Button("digit", 0, "0")
	b.Icon("erase", 0, "Erase")
	b.Row(2)
	b.Button("cancel", 0, "Cancel")
	b.Button("start", 0, "Start").Disable(c.Digits == 0)
}

func (c *Clock) viewStopwatch(b *ui.Builder) {
	b.Label(span(b, c.Elapsed)).Describe("elapsed")
	word := "Start"
	if c.Running {
		word = "Stop"
	}
	b.Row(3)
	b.Button("run", 0, word)
	b.Button("lap", 0, "Lap").Disable(!c.Running)
	b.Button("reset", 0, "Reset").Disable(c.Running)
	b.Scroll("laps", 0)
	for i := len(c.Laps) - 1; i >= 0; i-- {
		b.Label(b.Cat("Lap ", b.Int(i+1), ": ", span(b, c.Laps[i].Second)))
	}
	b.End()
}
