package phone

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[awayGadget](ui.Template{
	Name: "settings-away", Summary: "pair a device that isn't nearby", Apps: []string{"settings"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 12, Easy: true,
})

// awayGadget asks for a device that isn't in reach.
type awayGadget struct{ Name string }

// Setup implements ui.Job.
func (a *awayGadget) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	s.setBluetooth(true)
	a.Name = fresh(t, gadgetNames, func(name string) bool {
		return slices.ContainsFunc(s.Gadgets, func(g Gadget) bool { return g.Name == name })
	})
	t.Say("Pair the phone with the Bluetooth device \""+a.Name+"\".",
		"Connect "+a.Name+" to this phone over Bluetooth.")
	t.Offer(a.Name, s.Gadgets[0].Name)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *awayGadget) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case p.Shown != "settings":
		x.Open("settings")
	case p.Settings.in(x, "Bluetooth"):
		x.Infeasible()
	}
}
