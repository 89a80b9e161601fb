package phone

import "marlpit/envs/ui"

const (
	maxLaps   = 99
	maxDigits = 1_000_000 // of a timer: hh mm ss
)

func (c *Clock) update(_ *Phone, e ui.Event) bool {
	if c.Running && c.Elapsed < 86_400 {
		c.Elapsed += 2 // about what a turn takes
	}
	switch {
	case e.Kind == ui.Back:
		return c.back()
	case e.Is(ui.Click, "close"), e.Is(ui.Click, "cancel"):
		c.back()
	case c.Screen == "alarm" && c.Pick != "":
		updateTime(e, &c.Pick, &c.Draft.Minute)
	case c.Screen == "alarm" || c.Screen == "delete":
		c.updateAlarm(e, c.alarm(c.Open))
	case c.Screen == "timer":
		c.updateKeypad(e)
	case e.Is(ui.Click, "tab") && e.Key >= 0 && e.Key < len(clockTabs):
		c.Tab = e.Key
	case c.Tab == 1:
		c.updateTimers(e)
	case c.Tab == 2:
		c.updateStopwatch(e)
	default:
		c.updateAlarms(e)
	}
	return true
}

// back leaves a screen; false where there is none to leave.
func (c *Clock) back() bool {
	switch {
	case c.Pick != "":
		c.Pick = ""
	case c.Screen == "delete":
		c.Screen = "alarm"
	case c.Screen != "":
		c.Screen, c.Open, c.Digits = "", 0, 0
	case c.Tab != 0:
		c.Tab = 0
	default:
		return false
	}
	return true
}

func (c *Clock) updateAlarms(e ui.Event) {
	a := c.alarm(e.Key)
	switch {
	case e.Is(ui.Click, "new"):
		c.Screen, c.Open, c.Draft = "alarm", 0, Alarm{Minute: 12 * 60, On: true}
	case a == nil: // what follows is about an alarm
	case e.Is(ui.Click, "alarm"):
		c.Screen, c.Open, c.Draft = "alarm", a.ID, *a
	case e.Is(ui.Click, "on"):
		a.On = !a.On
	}
}

func (c *Clock) updateAlarm(e ui.Event, a *Alarm) {
	d := &c.Draft
	switch {
	case e.Is(ui.Click, "time"):
		c.Pick = "hour"
	case e.Is(ui.Input, "label"):
		d.Label = e.Text
	case e.Is(ui.Click, "weekday") && e.Key >= 0 && e.Key < 7:
		d.Days[e.Key] = !d.Days[e.Key]
	case e.Is(ui.Click, "vibrate"):
		d.Vibrate = !d.Vibrate
	case e.Is(ui.Click, "save"):
		if a != nil {
			d.ID = a.ID
			*a = *d
			c.sort()
		} else {
			c.put(*d)
		}
		c.Screen, c.Open = "", 0
	case a == nil: // what follows takes an alarm out
	case e.Is(ui.Click, "delete"):
		c.Screen = "delete"
	case e.Is(ui.Click, "sure") && c.Screen == "delete":
		c.dropAlarm(a.ID)
		c.Screen, c.Open = "", 0
	}
}

func (c *Clock) updateTimers(e ui.Event) {
	t := c.timer(e.Key)
	switch {
	case e.Is(ui.Click, "new-timer"):
		c.Screen, c.Digits = "timer", 0
	case t == nil: // what follows is about a timer
	case e.Is(ui.Click, "toggle"):
		t.Running = !t.Running
	case e.Is(ui.Click, "drop"):
		c.dropTimer(t.ID)
	}
}

func (c *Clock) updateKeypad(e ui.Event) {
	digits := c.Digits
	switch {
	case e.Is(ui.Click, "digit") && e.Key >= 0 && e.Key <= 9:
		digits = digits*10 + e.Key
	case e.Is(ui.Click, "zeros"):
		digits *= 100
	case e.Is(ui.Click, "erase"):
		digits /= 10
	case e.Is(ui.Click, "start") && typed(digits) > 0:
		c.putTimer(Timer{Seconds: typed(digits), Running: true})
		c.Screen, digits = "", 0
	}
	if digits >= 0 && digits < maxDigits {
		c.Digits = digits
	}
}

func (c *Clock) updateStopwatch(e ui.Event) {
	switch {
	case e.Is(ui.Click, "run"):
		c.Running = !c.Running
	case e.Is(ui.Click, "lap") && c.Running && len(c.Laps) < maxLaps:
		c.Laps = append(c.Laps, Lap{c.Elapsed})
	case e.Is(ui.Click, "reset") && !c.Running:
		c.Laps, c.Elapsed = c.Laps[:0], 0
	}
}
