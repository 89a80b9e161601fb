package phone

import "marlpit/envs/ui"

var _ = add[keepAttached](ui.Template{
	Name: "mail-keep", Summary: "save a mail's attachment and move it to a folder", Apps: []string{"mail", "files"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// keepAttached asks for an attachment to be saved in a folder.
type keepAttached struct {
	Letter int
	To     string
	mended
}

// Setup implements ui.Job.
func (a *keepAttached) Setup(p *Phone, t *ui.Task) {
	l, other := p.Mail.some(t), p.Mail.some(t)
	other.Attached, other.Size = "agenda.pdf", 80
	l.Attached, l.Size = ui.Pick(t.Rand, []string{"plan.pdf", "invitation.pdf", "offer.pdf", "sketch.png"}), 100+t.Rand.Intn(900)
	a.Letter, a.To = l.ID, fresh(t, fileFolders, func(s string) bool { return s == "Downloads" })
	t.Say("Save what is attached to the mail \""+l.Subject+"\", then move the file to the folder "+a.To+".",
		"The mail \""+l.Subject+"\" has an attachment. I want to have it in "+a.To+", not in Downloads.")
	t.Offer(l.Attached, a.To)
}

// Want implements ui.Wanter.
func (a *keepAttached) Want(p *Phone) {
	l := p.Mail.letter(a.Letter)
	p.Files.put(Node{Name: l.Attached, Folder: a.To, Size: l.Size, Day: p.Today})
}
