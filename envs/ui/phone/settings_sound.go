package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[setSound](ui.Template{
	Name: "settings-sound", Summary: "set two volumes and the vibration", Apps: []string{"settings"},
	Kind: ui.Several, Level: 2, MaxTurns: 30,
})

// setSound asks for two volumes and a switch.
type setSound struct {
	First, Second int // of volumes
	Levels        [2]int
	Vibrate       bool
	mended
}

// Setup implements ui.Job.
func (a *setSound) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, []int{0, 1, 2}, 2)
	a.First, a.Second = two[0], two[1]
	for i, v := range two {
		now := p.Settings.Levels[v]
		if a.Levels[i] = now + 1 + t.Rand.Intn(3); a.Levels[i] > maxLevel || now > 2 && t.Rand.Intn(2) == 0 {
			a.Levels[i] = now - 1 - t.Rand.Intn(min(3, now))
		}
	}
	a.Vibrate = !p.Settings.Vibrate
	first := "the " + strings.ToLower(volumes[a.First]) + " to " + inPercent(a.Levels[0])
	second := "the " + strings.ToLower(volumes[a.Second]) + " to " + inPercent(a.Levels[1])
	t.Say("Set "+first+" and "+second+", and turn vibration for calls "+onOff(a.Vibrate)+".",
		"Sound: please put "+second+", "+first+", and vibration for calls "+onOff(a.Vibrate)+".")
	t.Offer(counts[a.Levels[0]], counts[a.Levels[1]])
}

// Want implements ui.Wanter.
func (a *setSound) Want(p *Phone) {
	p.Settings.Levels[a.First], p.Settings.Levels[a.Second] = a.Levels[0], a.Levels[1]
	p.Settings.Vibrate = a.Vibrate
}
