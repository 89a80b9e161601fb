package phone

import "marlpit/envs/ui"

func (a Alarm) key() int { return a.ID }

func (a Alarm) plain() Alarm { a.ID = 0; return a }

func (t Timer) key() int { return t.ID }

func (t Timer) plain() Timer { t.ID = 0; return t }

// toward implements mender.
func (c *Clock) toward(p, want *Phone, x *ui.Pilot) bool {
	w := &want.Clock
	a, asked := repair(c.Alarms, w.Alarms)
	for i := range w.Alarms { // a new one is turned off once it is saved
		if k := &w.Alarms[i]; a != nil && asked == nil && onlyOn(*a, *k) && copies(c.Alarms, *k) < copies(w.Alarms, *k) {
			asked = k
		}
	}
	if a != nil && asked != nil && surplus(a.Label, asked.Label) {
		asked = nil
	}
	t, wanted := repair(c.Timers, w.Timers)
	switch {
	case a != nil || asked != nil:
		if !away(p, x, "clock") {
			c.solveAlarm(x, a, asked)
		}
	case t != nil || wanted != nil:
		if !away(p, x, "clock") && c.tab(x, 1, "timer") {
			c.solveTimer(x, t, w.Timers)
		}
	case len(c.Laps) != len(w.Laps) || c.Running != w.Running:
		if !away(p, x, "clock") && c.tab(x, 2, "") {
			c.solveStopwatch(x, w)
		}
	default:
		return false
	}
	return true
}

// tab leads to a tab, or to a screen over it.
func (c *Clock) tab(x *ui.Pilot, tab int, screen string) bool {
	switch {
	case screen != "" && c.Screen == screen:
		return true
	case c.Screen != "":
		x.Back()
	case max(0, c.Tab) != tab:
		x.Tap("tab", tab)
	default:
		return true
	}
	return false
}

func onlyOn(a, b Alarm) bool { a.On = b.On; return a.plain() == b.plain() }

// solveAlarm changes one alarm into another, deletes it where that is nil, or makes it where there is none.
func (c *Clock) solveAlarm(x *ui.Pilot, now, want *Alarm) {
	id := 0
	if now != nil {
		id = now.ID
	}
	switch {
	case now != nil && want != nil && onlyOn(*now, *want):
		if c.tab(x, 0, "") {
			x.Tap("on", id)
		}
	case c.Screen == "delete" && c.Open == id && now != nil && want == nil:
		x.Tap("sure", 0)
	case c.Screen != "alarm" || c.Open != id:
		if c.tab(x, 0, "") && now != nil {
			x.Tap("alarm", id)
		} else {
			x.Tap("new", 0)
		}
	case want == nil:
		if c.Pick == "" {
			x.Tap("delete", 0)
		}
		x.Back()
	default:
		c.solveDraft(x, want)
	}
}

// solveDraft fills the form of an alarm and saves it.
func (c *Clock) solveDraft(x *ui.Pilot, want *Alarm) {
	d := &c.Draft
	switch {
	case c.Pick != "":
		solveTime(x, c.Pick, d.Minute, want.Minute)
	case d.Minute != want.Minute:
		x.Tap("time", 0)
	case enter(x, "label", d.Label, want.Label):
	case d.Vibrate != want.Vibrate:
		x.Tap("vibrate", 0)
	default:
		for i := range d.Days {
			if d.Days[i] != want.Days[i] {
				x.Tap("weekday", i)
			}
		}
		x.Tap("save", 0)
	}
}

// solveTimer starts, pauses or deletes the timer t, or makes one where t is nil.
func (c *Clock) solveTimer(x *ui.Pilot, t *Timer, want []Timer) {
	for i := range want {
		w := &want[i]
		if copies(c.Timers, *w) >= copies(want, *w) {
			continue
		}
		if t == nil {
			c.solveKeypad(x, w.Seconds)
			return
		}
		if t.Seconds == w.Seconds && c.Screen == "" {
			x.Tap("toggle", t.ID)
		}
	}
	if c.Screen == "" {
		x.Tap("drop", t.ID)
	}
	x.Back()
}

// solveKeypad types the length of a timer.
func (c *Clock) solveKeypad(x *ui.Pilot, seconds int) {
	digits := seconds/3600*10000 + seconds/60%60*100 + seconds%60
	switch {
	case c.Screen != "timer":
		x.Tap("new-timer", 0)
	case typed(c.Digits) == seconds:
		x.Tap("start", 0)
	}
	next := digits % 10
	for rest := digits / 10; ; rest /= 10 {
		if rest == c.Digits {
			x.Tap("digit", next)
			return
		}
		if rest == 0 {
			x.Tap("erase", 0)
			return
		}
		next = rest % 10
	}
}

func (c *Clock) solveStopwatch(x *ui.Pilot, want *Clock) {
	switch {
	case len(c.Laps) > len(want.Laps) && !c.Running:
		x.Tap("reset", 0)
	case len(c.Laps) < len(want.Laps) && c.Running:
		x.Tap("lap", 0)
	default:
		x.Tap("run", 0)
	}
}
