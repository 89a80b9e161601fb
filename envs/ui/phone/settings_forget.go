package phone

import "marlpit/envs/ui"

var _ = add[forgetNetwork](ui.Template{
	Name: "settings-forget", Summary: "forget a saved wireless network", Apps: []string{"settings"},
	Kind: ui.Delete, Level: 1, MaxTurns: 10,
})

// forgetNetwork asks for a saved network to be forgotten.
type forgetNetwork struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *forgetNetwork) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	s.Networks[4].Saved = true
	a.Name = ui.Pick(t.Rand, []string{s.Networks[0].Name, s.Networks[1].Name, s.Networks[4].Name})
	t.Say("Make the phone forget the Wi-Fi network \""+a.Name+"\".",
		"I never want to be connected to "+a.Name+" again: remove it from the saved networks.")
	t.Offer(a.Name, s.Networks[2].Name)
}

// Want implements ui.Wanter.
func (a *forgetNetwork) Want(p *Phone) {
	p.Settings.network(a.Name).Saved = false
	if p.Settings.Network == a.Name {
		p.Settings.Network = ""
	}
}
