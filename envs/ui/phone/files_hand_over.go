package phone

import "marlpit/envs/ui"

var _ = add[handOver](ui.Template{
	Name: "files-hand-over", Summary: "mail a file to a contact, then delete it", Apps: []string{"files", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 26, HeldOut: true,
})

// handOver asks for a file to be sent and then deleted.
type handOver struct {
	File int
	To   string
}

// Setup implements ui.Job.
func (a *handOver) Setup(p *Phone, t *ui.Task) {
	n, who := p.Files.some(t), ui.Pick(t.Rand, p.Contacts.People)
	a.File, a.To = n.ID, who.Mail
	t.Say("Send the file "+n.Name+" by mail to "+who.Name+", with the subject \"Yours\" and no text. Then delete the file from the phone.",
		who.Name+" should have "+n.Name+", and this phone no longer: mail it under the subject \"Yours\" without text, then delete it here.")
	t.Offer("Yours", a.To, n.Name, ui.Pick(t.Rand, p.Contacts.People).Mail)
}

// Want implements ui.Wanter.
func (a *handOver) Want(p *Phone) {
	n := p.Files.node(a.File)
	p.Mail.sent(p, Letter{To: a.To, Subject: "Yours", Attached: n.Name, Size: n.Size})
	p.Files.remove(a.File)
}

// Solve implements ui.Job.
func (a *handOver) Solve(p *Phone, x *ui.Pilot) {
	n, want := p.Files.node(a.File), ui.Target[Phone](x)
	wrong, right := repair(p.Mail.Letters, want.Mail.Letters)
	switch {
	case n == nil || wrong == nil && right == nil:
		finish(p, x)
	case wrong != nil || p.Mail.Screen == "compose" && p.Mail.Draft.Attached == n.Name && p.Shown == "mail":
		p.Mail.toward(p, want, x)
	case !away(p, x, "files") && p.Files.show(x, n):
		x.Tap("share", 0)
	}
}
