package phone

import "marlpit/envs/ui"

var _ = add[missingMail](ui.Template{
	Name: "mail-missing", Summary: "forward a mail that isn't there", Apps: []string{"mail"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 8, Easy: true,
})

// missingMail asks for a mail to be forwarded that never came.
type missingMail struct{ Subject string }

// Setup implements ui.Job.
func (a *missingMail) Setup(p *Phone, t *ui.Task) {
	a.Subject = "Parcel from " + ui.Pick(t.Rand, shops)
	who := ui.Pick(t.Rand, p.Contacts.People)
	t.Say("Forward the mail \""+a.Subject+"\" to "+who.Name+".",
		who.Name+" needs the mail with the subject "+a.Subject+" that I got. Forward it.")
	t.Offer(a.Subject, who.Mail)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingMail) Solve(p *Phone, x *ui.Pilot) {
	switch k := &p.Mail; {
	case mend(p, x):
	case p.Shown != "mail":
		x.Open("mail")
	case k.Screen != "" || k.Folder != boxes[0]:
		x.Back()
	case k.Search != a.Subject:
		x.Type("search", 0, a.Subject)
	default:
		x.Infeasible()
	}
}
