package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[takeLaps](ui.Template{
	Name: "clock-stopwatch", Summary: "take laps with the stopwatch", Apps: []string{"clock"},
	Kind: ui.Operate, Level: 1, MaxTurns: 16,
})

// takeLaps asks for laps of the stopwatch.
type takeLaps struct {
	Laps int
	Stop bool
	mended
}

// Setup implements ui.Job.
func (a *takeLaps) Setup(_ *Phone, t *ui.Task) {
	a.Laps, a.Stop = 2+t.Rand.Intn(3), t.Rand.Intn(2) == 0
	n := strconv.Itoa(a.Laps)
	if a.Stop {
		t.Say("Start the stopwatch, take "+n+" laps, and stop it.", "Measure "+n+" laps with the stopwatch; then stop it without a reset.")
	} else {
		t.Say("Start the stopwatch, take "+n+" laps, and let it run on.", "Measure "+n+" laps with the stopwatch, and leave it running.")
	}
}

// Want implements ui.Wanter.
func (a *takeLaps) Want(p *Phone) {
	p.Clock.Running = !a.Stop
	for range a.Laps {
		p.Clock.Laps = append(p.Clock.Laps, Lap{})
	}
}
