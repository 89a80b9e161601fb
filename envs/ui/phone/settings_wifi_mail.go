package phone

import "marlpit/envs/ui"

var _ = add[wifiMail](ui.Template{
	Name: "settings-wifi-mail", Summary: "connect to the network that a mail gives the password of", Apps: []string{"settings", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// wifiMail asks for a connection with the name and password of a network from a mail.
type wifiMail struct {
	Letter  int
	Network string
}

// Setup implements ui.Job.
func (a *wifiMail) Setup(p *Phone, t *ui.Task) {
	n := &p.Settings.Networks[2+t.Rand.Intn(2)]
	a.Network = n.Name
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: who.Mail, To: myAddress, Subject: "Your stay",
		Body: "Our network is " + n.Name + ", the password " + n.Secret + ".", Day: p.Today, Minute: 420 + t.Rand.Intn(50)})
	t.Say("Connect to the Wi-Fi network that "+who.Name+" writes about in the mail \"Your stay\".",
		"I'm at the place of "+who.Name+". Name and password of the network stand in the mail \"Your stay\": connect to it.")
	t.Offer(n.Secret, secret(t.Rand), secret(t.Rand))
}

// Want implements ui.Wanter.
func (a *wifiMail) Want(p *Phone) { p.Settings.join(p.Settings.network(a.Network)) }

// Solve implements ui.Job.
func (a *wifiMail) Solve(p *Phone, x *ui.Pilot) {
	if p.Settings.Network == a.Network || readFirst(p, x, a.Letter) {
		finish(p, x)
	}
}
