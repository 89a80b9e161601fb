package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[clockPage, clockSet](ui.Template{
		Name: "clock-set", Summary: "set a time of day", Apps: []string{"clock"},
		Kind: ui.Operate, Level: 2, MaxTurns: 24,
	})
	_ = add[clockPage, clockMove](ui.Template{
		Name: "clock-move", Summary: "move a time by hours and minutes", Apps: []string{"clock"},
		Kind: ui.Edit, Level: 2, MaxTurns: 24, HeldOut: true,
	})
)

const (
	minuteStep = 5
	dayMinutes = 24 * 60
)

// clockPage sets a time by steps of an hour and of five minutes.
type clockPage struct {
	Form
	Minutes int // since midnight
}

func (s *clockPage) fill(r *envs.Rand) {
	*s = clockPage{Minutes: minuteStep * r.Intn(dayMinutes/minuteStep)}
}

// App implements ui.Sim.
func (s *clockPage) App() string { return "clock" }

// View implements ui.Sim.
func (s *clockPage) View(b *ui.Builder) {
	b.Heading("Appointment")
	b.Label(b.Clock(s.Minutes)).Describe("time")
	b.Row(2)
	b.Button("move", -60, "- 1 hour")
	b.Button("move", 60, "+ 1 hour")
	b.Row(2)
	b.Button("move", -minuteStep, "- 5 minutes")
	b.Button("move", minuteStep, "+ 5 minutes")
	s.submit(b)
}

// Update implements ui.Sim.
func (s *clockPage) Update(e ui.Event) {
	if e.Is(ui.Click, "move") {
		s.Minutes = inDay(inDay(s.Minutes) + e.Key)
	}
	s.submits(e)
}

// inDay is the time of day, whatever number it was.
func inDay(minutes int) int { return (minutes%dayMinutes + dayMinutes) % dayMinutes }

// wantedTime is the time to set, in minutes since midnight.
type wantedTime struct{ Minutes int }

// draw draws a time some hours and minutes away.
func (j *wantedTime) draw(s *clockPage, r *envs.Rand) (by int) {
	by = 60*(2+r.Intn(4)) + minuteStep*(2+r.Intn(5))
	if r.Intn(2) == 0 {
		by = -by
	}
	j.Minutes = inDay(s.Minutes + by)
	return by
}

// Want implements ui.Wanter.
func (j *wantedTime) Want(s *clockPage) { s.Minutes, s.Submitted = j.Minutes, true }

// Solve implements ui.Job.
func (j *wantedTime) Solve(s *clockPage, x *ui.Pilot) {
	step := 0
	switch away := inDay(j.Minutes-s.Minutes+dayMinutes/2) - dayMinutes/2; { // the short way round
	case away > 30:
		step = 60
	case away > 0:
		step = minuteStep
	case away < -30:
		step = -60
	case away < 0:
		step = -minuteStep
	default:
		x.Tap("submit", 0)
	}
	x.Tap("move", step)
}

// clockSet asks for a time.
type clockSet struct{ wantedTime }

// Setup implements ui.Job.
func (j *clockSet) Setup(s *clockPage, t *ui.Task) {
	j.draw(s, t.Rand)
	at := ui.Clock(j.Minutes)
	t.Say("Set the time to "+at+" and submit.", "The appointment is at "+at+". Set that and press Submit.")
}

// clockMove asks for a time that is earlier or later than the one shown.
type clockMove struct{ wantedTime }

// Setup implements ui.Job.
func (j *clockMove) Setup(s *clockPage, t *ui.Task) {
	by, way := j.draw(s, t.Rand), "later"
	if by < 0 {
		by, way = -by, "earlier"
	}
	hours := strconv.Itoa(by/60) + " h "
	minutes := strconv.Itoa(by%60) + " min "
	t.Say("Move the appointment to "+hours+minutes+way+" and submit.",
		"Make the appointment "+hours+"and "+minutes+way+" than it is. Then press Submit.")
}
