package phone

import "marlpit/envs/ui"

var _ = add[attachFile](ui.Template{
	Name: "mail-attach", Summary: "mail the largest file of a folder to a contact", Apps: []string{"mail", "files"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 26,
})

// attachFile asks for a mail with the largest file of a folder.
type attachFile struct {
	Folder, To, Subject string
	File                int
}

// Setup implements ui.Job.
func (a *attachFile) Setup(p *Phone, t *ui.Task) {
	k := &p.Files
	a.Folder = ui.Pick(t.Rand, fileFolders)
	var most *Node
	for i := range k.Nodes {
		if n := &k.Nodes[i]; n.Folder == a.Folder && (most == nil || n.Size > most.Size) {
			most = n
		}
	}
	most.Size += 10
	a.File = most.ID
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.To, a.Subject = who.Mail, ui.Pick(t.Rand, []string{"As promised", "For you", "The big one", "Please have a look"})
	t.Say("Send the largest file in the folder "+a.Folder+" by mail to "+who.Name+", with the subject \""+a.Subject+"\" and no text.",
		who.Name+" wants the largest file of my folder "+a.Folder+". Mail it; subject: \""+a.Subject+"\", text left empty.")
	t.Offer(a.Subject, a.To, ui.Pick(t.Rand, p.Contacts.People).Mail)
}

// Want implements ui.Wanter.
func (a *attachFile) Want(p *Phone) {
	n := p.Files.node(a.File)
	p.Mail.sent(p, Letter{To: a.To, Subject: a.Subject, Attached: n.Name, Size: n.Size})
}

// Solve implements ui.Job.
func (a *attachFile) Solve(p *Phone, x *ui.Pilot) {
	n, want := p.Files.node(a.File), ui.Target[Phone](x)
	wrong, right := repair(p.Mail.Letters, want.Mail.Letters)
	if n == nil || wrong != nil || right == nil || p.Mail.Screen == "compose" && p.Mail.Draft.Attached == n.Name && p.Shown == "mail" {
		finish(p, x)
		return
	}
	switch k := &p.Files; {
	case p.Shown != "files":
		x.Open("files")
	case k.show(x, n):
		x.Tap("share", 0)
	}
}
