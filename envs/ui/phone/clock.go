package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Clock is the app of alarms, timers and a stopwatch.
type Clock struct {
	Alarms  []Alarm `ui:"set"` // in the order of their times
	Timers  []Timer `ui:"set"`
	Running bool    // the stopwatch
	Laps    []Lap
	Next    int `ui:"id"`

	Tab     int    `ui:"view"` // of clockTabs
	Screen  string `ui:"view"` // "" the tab, "alarm", "delete", "timer"
	Pick    string `ui:"view"` // over "alarm": "", "hour", "minute"
	Open    int    `ui:"view"` // ID of the alarm shown, 0 for a new one
	Draft   Alarm  `ui:"view"`
	Digits  int    `ui:"view"` // of a new timer, as they were typed
	Elapsed int    `ui:"view"` // seconds on the stopwatch
}

// clockTabs are the tabs of the clock.
var clockTabs = []string{"Alarms", "Timers", "Stopwatch"}

// Alarm rings at a time of day.
type Alarm struct {
	ID      int `ui:"id"`
	Minute  int // since midnight
	Label   string
	Days    [7]bool // Monday first; none: once
	Vibrate bool
	On      bool
}

// Timer counts down.
type Timer struct {
	ID      int `ui:"id"`
	Seconds int
	Running bool
}

// Lap is a lap of the stopwatch.
type Lap struct {
	Second int `ui:"view"` // of the stopwatch when it ended
}

// weekdays are the days of Alarm.Days.
var weekdays = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// alarmLabels are what alarms are for.
var alarmLabels = []string{"Early shift", "School run", "Jogging", "Medicine", "Bread oven", "Piano", "Laundry", "Standup",
	"Nap", "Night bus"}

func (c *Clock) fill(_ *Phone, r *envs.Rand) {
	c.Alarms, c.Timers, c.Laps, c.Running, c.Next = c.Alarms[:0], c.Timers[:0], c.Laps[:0], false, 1
	for _, label := range ui.Draw(r, alarmLabels, 4+r.Intn(2)) {
		a := Alarm{Minute: c.freeMinute(r), Label: label, Vibrate: r.Intn(2) == 0, On: r.Intn(3) > 0}
		for d := range 1 + r.Intn(5) {
			a.Days[d] = true
		}
		c.put(a)
	}
	for range r.Intn(3) {
		c.putTimer(Timer{Seconds: 60 * (2 + r.Intn(50))})
	}
	c.open()
}

// freeMinute is a time, in steps of five minutes, at which no alarm rings.
func (c *Clock) freeMinute(r *envs.Rand) int {
	for {
		m := 300 + 5*r.Intn(12*16)
		if !slices.ContainsFunc(c.Alarms, func(a Alarm) bool { return a.Minute == m }) {
			return m
		}
	}
}

// put adds an alarm under an ID of its own.
func (c *Clock) put(a Alarm) {
	a.ID = c.Next
	c.Next++
	c.Alarms = append(c.Alarms, a)
	c.sort()
}

func (c *Clock) sort() {
	slices.SortStableFunc(c.Alarms, func(a, b Alarm) int { return a.Minute - b.Minute })
}

func (c *Clock) putTimer(t Timer) {
	t.ID = c.Next
	c.Next++
	c.Timers = append(c.Timers, t)
}

// alarm is the one of an ID, or nil.
func (c *Clock) alarm(id int) *Alarm {
	for i := range c.Alarms {
		if c.Alarms[i].ID == id {
			return &c.Alarms[i]
		}
	}
	return nil
}

// labelled is the alarm of a label, or nil.
func (c *Clock) labelled(label string) *Alarm {
	for i := range c.Alarms {
		if c.Alarms[i].Label == label {
			return &c.Alarms[i]
		}
	}
	return nil
}

// timer is the one of an ID, or nil.
func (c *Clock) timer(id int) *Timer {
	for i := range c.Timers {
		if c.Timers[i].ID == id {
			return &c.Timers[i]
		}
	}
	return nil
}

// dropAlarm takes the alarm of an ID out.
func (c *Clock) dropAlarm(id int) {
	for i := range c.Alarms {
		if c.Alarms[i].ID == id {
			c.Alarms = slices.Delete(c.Alarms, i, i+1)
			return
		}
	}
}

// dropTimer takes the timer of an ID out.
func (c *Clock) dropTimer(id int) {
	for i := range c.Timers {
		if c.Timers[i].ID == id {
			c.Timers = slices.Delete(c.Timers, i, i+1)
			return
		}
	}
}

func (c *Clock) open() {
	c.Tab, c.Screen, c.Pick, c.Open, c.Draft, c.Digits = 0, "", "", 0, Alarm{}, 0
}

// typed is the number of seconds that digits mean: the last two are seconds, the two before minutes.
func typed(digits int) (seconds int) {
	return digits/10000*3600 + digits/100%100*60 + digits%100
}
