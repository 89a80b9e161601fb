package phone

import "marlpit/envs/ui"

var _ = add[night](ui.Template{
	Name: "settings-night", Summary: "prepare the phone for the night: dark, dim, silent", Apps: []string{"settings"},
	Kind: ui.Several, Level: 3, MaxTurns: 40, HeldOut: true,
})

// night asks for three settings in two sections, and the battery saver.
type night struct {
	Level int // of brightness
	Saver bool
	mended
}

// Setup implements ui.Job.
func (a *night) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	s.Dark, s.Quiet, s.Brightness = false, false, 4+t.Rand.Intn(4)
	a.Level, a.Saver = 1+t.Rand.Intn(2), !s.Saver
	t.Say("Prepare the phone for the night: dark theme on, brightness at "+inPercent(a.Level)+", do not disturb on, battery saver "+onOff(a.Saver)+".",
		"I'm going to sleep. Turn on do not disturb and the dark theme, dim the screen to "+inPercent(a.Level)+", and turn the battery saver "+onOff(a.Saver)+".")
	t.Offer(inPercent(a.Level))
}

// Want implements ui.Wanter.
func (a *night) Want(p *Phone) {
	s := &p.Settings
	s.Dark, s.Quiet, s.Brightness, s.Saver = true, true, a.Level, a.Saver
}
