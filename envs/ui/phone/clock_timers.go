package phone

import "marlpit/envs/ui"

var _ = add[switchTimers](ui.Template{
	Name: "clock-timers", Summary: "pause the timer that runs and start another one", Apps: []string{"clock"},
	Kind: ui.Operate, Level: 1, MaxTurns: 10, HeldOut: true,
})

// switchTimers asks to let another timer run.
type switchTimers struct {
	Run, Pause int // seconds
	mended
}

// Setup implements ui.Job.
func (a *switchTimers) Setup(p *Phone, t *ui.Task) {
	c := &p.Clock
	c.Timers = c.Timers[:0]
	for i, m := range ui.Draw(t.Rand, []int{3, 7, 12, 15, 20, 25, 40, 45}, 4) {
		c.putTimer(Timer{Seconds: 60 * m, Running: i == 0})
	}
	a.Pause, a.Run = c.Timers[0].Seconds, c.Timers[1].Seconds
	t.Rand.Shuffle(4, func(i, j int) { c.Timers[i], c.Timers[j] = c.Timers[j], c.Timers[i] })
	run := ui.Clock(a.Run/60) + ":00"
	t.Say("Pause the timer that is running and start the one of "+run+" instead.",
		"Only the "+run+" timer should run. Change that in the clock, and delete none.")
	t.Offer(run)
}

// Want implements ui.Wanter.
func (a *switchTimers) Want(p *Phone) {
	for i := range p.Clock.Timers {
		k := &p.Clock.Timers[i]
		k.Running = k.Seconds == a.Run
	}
}
