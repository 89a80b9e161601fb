package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[setBrightness](ui.Template{
	Name: "settings-brightness", Summary: "set the brightness with a slider", Apps: []string{"settings"},
	Kind: ui.Operate, Level: 1, MaxTurns: 22,
})

// setBrightness asks for a level of brightness.
type setBrightness struct {
	Level int
	mended
}

// Setup implements ui.Job.
func (a *setBrightness) Setup(p *Phone, t *ui.Task) {
	a.Level = p.Settings.Brightness
	for abs := 0; abs < 2; abs = max(a.Level-p.Settings.Brightness, p.Settings.Brightness-a.Level) {
		a.Level = t.Rand.Intn(maxLevel + 1)
	}
	t.Say("Set the brightness of the screen to "+inPercent(a.Level)+".",
		"The screen should have a brightness of "+inPercent(a.Level)+".")
	t.Offer(inPercent(a.Level), counts[a.Level])
}

// Want implements ui.Wanter.
func (a *setBrightness) Want(p *Phone) { p.Settings.Brightness = a.Level }

// inPercent is a level in words.
func inPercent(level int) string { return strconv.Itoa(10*level) + " %" }
