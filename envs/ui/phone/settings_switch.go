package phone

import "marlpit/envs/ui"

var _ = add[flip](ui.Template{
	Name: "settings-switch", Summary: "turn one thing on or off", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 1, MaxTurns: 10,
})

// flip asks for one switch to be turned.
type flip struct {
	Flag string
	mended
}

// Setup implements ui.Job.
func (a *flip) Setup(p *Phone, t *ui.Task) {
	flags := [...][2]string{{"wifi", "Wi-Fi"}, {"bluetooth", "Bluetooth"}, {"auto", "adaptive brightness"}, {"dark", "the dark theme"},
		{"vibrate", "vibration for calls"}, {"quiet", "do not disturb"}, {"saver", "the battery saver"}}
	f := ui.Pick(t.Rand, flags[:])
	a.Flag = f[0]
	now := p.Settings.Wifi
	switch a.Flag {
	case "wifi":
	case "bluetooth":
		now = p.Settings.Bluetooth
	default:
		now = *p.Settings.flag(a.Flag)
	}
	t.Say("Turn "+f[1]+" "+onOff(!now)+".", "Please make sure that "+f[1]+" is "+onOff(!now)+".")
	t.Offer(f[1], onOff(!now))
}

// Want implements ui.Wanter.
func (a *flip) Want(p *Phone) {
	switch s := &p.Settings; a.Flag {
	case "wifi":
		s.setWifi(!s.Wifi)
	case "bluetooth":
		s.setBluetooth(!s.Bluetooth)
	default:
		*s.flag(a.Flag) = !*s.flag(a.Flag)
	}
}
