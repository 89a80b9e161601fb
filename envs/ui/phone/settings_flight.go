package phone

import "marlpit/envs/ui"

var _ = add[flight](ui.Template{
	Name: "settings-flight", Summary: "switch airplane mode on, and Bluetooth on again for a pair of headphones", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 3, MaxTurns: 18, HeldOut: true,
})

// flight asks for airplane mode with a device connected all the same.
type flight struct {
	Gadget int
	mended
}

// Setup implements ui.Job.
func (a *flight) Setup(p *Phone, t *ui.Task) {
	a.Gadget = t.Rand.Intn(2)
	name := p.Settings.Gadgets[a.Gadget].Name
	t.Say("Turn airplane mode on. Then turn Bluetooth on again and connect to \""+name+"\".",
		"I'm on a plane: airplane mode on, please, but with "+name+" connected over Bluetooth.")
	t.Offer(name, p.Settings.Gadgets[1-a.Gadget].Name)
}

// Want implements ui.Wanter.
func (a *flight) Want(p *Phone) {
	s := &p.Settings
	s.setAirplane(true)
	s.setBluetooth(true)
	s.Gadgets[a.Gadget].Connected = true
}
