package phone

import "marlpit/envs/ui"

var _ = add[pairGadget](ui.Template{
	Name: "settings-pair", Summary: "pair a Bluetooth device and connect to it", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 2, MaxTurns: 18, HeldOut: true,
})

// pairGadget asks for a device nearby to be paired and connected.
type pairGadget struct {
	Gadget int
	mended
}

// Setup implements ui.Job.
func (a *pairGadget) Setup(p *Phone, t *ui.Task) {
	a.Gadget = 2 + t.Rand.Intn(3)
	p.Settings.setBluetooth(t.Rand.Intn(2) == 0)
	name := p.Settings.Gadgets[a.Gadget].Name
	t.Say("Pair the phone with \""+name+"\" and connect to it.",
		"I want to use "+name+" over Bluetooth: pair it, then connect.")
	t.Offer(name, p.Settings.Gadgets[0].Name)
}

// Want implements ui.Wanter.
func (a *pairGadget) Want(p *Phone) {
	p.Settings.setBluetooth(true)
	g := &p.Settings.Gadgets[a.Gadget]
	g.Paired, g.Connected = true, true
}
