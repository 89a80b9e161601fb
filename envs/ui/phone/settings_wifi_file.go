package phone

import "marlpit/envs/ui"

var _ = add[wifiFile](ui.Template{
	Name: "settings-wifi-file", Summary: "connect to a network whose password stands in a file", Apps: []string{"settings", "files"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// wifiFile asks for a connection with a password from a text file.
type wifiFile struct {
	Network string
	File    int
}

// Setup implements ui.Job.
func (a *wifiFile) Setup(p *Phone, t *ui.Task) {
	n := &p.Settings.Networks[2+t.Rand.Intn(2)]
	a.Network = n.Name
	folder := ui.Pick(t.Rand, fileFolders)
	a.File = p.Files.Next
	name := ui.Pick(t.Rand, []string{"wifi.txt", "router.txt", "passwords.txt"})
	other := secret(t.Rand)
	p.Files.put(Node{Name: name, Folder: folder, Size: 1, Day: p.Today - 3, Text: "Password of " + n.Name + ": " + n.Secret + ". Old one: " + other})
	t.Say("Connect to the Wi-Fi network \""+n.Name+"\". The password stands in the file "+name+".",
		"I have written down the password of the network "+n.Name+" in "+name+", among my files. Use it to connect.")
	t.Offer(name, n.Secret, other, secret(t.Rand))
}

// Want implements ui.Wanter.
func (a *wifiFile) Want(p *Phone) { p.Settings.join(p.Settings.network(a.Network)) }

// Solve implements ui.Job.
func (a *wifiFile) Solve(p *Phone, x *ui.Pilot) {
	if p.Settings.Network == a.Network || lookFirst(p, x, a.File) {
		finish(p, x)
	}
}
