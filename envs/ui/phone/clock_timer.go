package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[startTimer](ui.Template{
	Name: "clock-timer", Summary: "start a timer", Apps: []string{"clock"},
	Kind: ui.Create, Level: 1, MaxTurns: 20,
})

// startTimer asks for a timer.
type startTimer struct {
	Seconds int
	mended
}

// Setup implements ui.Job.
func (a *startTimer) Setup(_ *Phone, t *ui.Task) {
	m, s := 1+t.Rand.Intn(59), 5+5*t.Rand.Intn(11)
	a.Seconds = 60*m + s
	minutes, seconds := strconv.Itoa(m), strconv.Itoa(s)
	t.Say("Start a timer of "+minutes+" minutes and "+seconds+" seconds.",
		"Let a new timer run for "+minutes+" min "+seconds+" s.")
	t.Offer(minutes, seconds)
}

// Want implements ui.Wanter.
func (a *startTimer) Want(p *Phone) { p.Clock.putTimer(Timer{Seconds: a.Seconds, Running: true}) }
