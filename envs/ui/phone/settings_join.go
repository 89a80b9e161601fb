package phone

import "marlpit/envs/ui"

var _ = add[joinNetwork](ui.Template{
	Name: "settings-join", Summary: "connect to a wireless network with its password", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 2, MaxTurns: 16,
})

// joinNetwork asks for a connection to a secured network.
type joinNetwork struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *joinNetwork) Setup(p *Phone, t *ui.Task) {
	s := &p.Settings
	n := s.Networks[2+t.Rand.Intn(2)]
	a.Name = n.Name
	if t.Rand.Intn(2) == 0 {
		s.setWifi(false)
	}
	t.Say("Connect to the Wi-Fi network \""+n.Name+"\". Its password is "+n.Secret+".",
		"Get the phone into the network "+n.Name+"; the password there is "+n.Secret+".")
	t.Offer(n.Secret, secret(t.Rand), n.Name)
}

// Want implements ui.Wanter.
func (a *joinNetwork) Want(p *Phone) {
	p.Settings.setWifi(true)
	p.Settings.join(p.Settings.network(a.Name))
}
