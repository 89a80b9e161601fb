package phone

import "marlpit/envs/ui"

var _ = add[setDisplay](ui.Template{
	Name: "settings-display", Summary: "set theme, size of letters and time-out of the screen", Apps: []string{"settings"},
	Kind: ui.Several, Level: 3, MaxTurns: 20,
})

// setDisplay asks for three settings of the display.
type setDisplay struct {
	Dark          bool
	Size, Timeout string
	mended
}

// Setup implements ui.Job.
func (a *setDisplay) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	a.Dark = !s.Dark
	a.Size = fresh(t, fontSizes, func(f string) bool { return f == s.FontSize })
	a.Timeout = fresh(t, timeouts, func(f string) bool { return f == s.Timeout })
	t.Say("Turn the dark theme "+onOff(a.Dark)+", set the font size to "+a.Size+" and the screen timeout to "+a.Timeout+".",
		"The screen should go off after "+a.Timeout+", the font size be "+a.Size+" and the dark theme "+onOff(a.Dark)+".")
	t.Offer(a.Size, a.Timeout)
}

// Want implements ui.Wanter.
func (a *setDisplay) Want(p *Phone) {
	p.Settings.Dark, p.Settings.FontSize, p.Settings.Timeout = a.Dark, a.Size, a.Timeout
}
