package phone

import "marlpit/envs/ui"

var _ = add[emptyTrash](ui.Template{
	Name: "mail-trash", Summary: "rescue a mail from the trash, then empty it", Apps: []string{"mail"},
	Kind: ui.Delete, Level: 3, MaxTurns: 20, HeldOut: true,
})

// emptyTrash asks for one mail to be taken out of the trash, and the others to go.
type emptyTrash struct {
	Letter int
}

// Setup implements ui.Job.
func (a *emptyTrash) Setup(p *Phone, t *ui.Task) {
	p.Mail.some(t).Folder = boxes[4]
	var in []*Letter
	for i := range p.Mail.Letters {
		if l := &p.Mail.Letters[i]; l.Folder == boxes[4] {
			in = append(in, l)
		}
	}
	l := ui.Pick(t.Rand, in)
	a.Letter = l.ID
	t.Say("The mail \""+l.Subject+"\" is in the trash by mistake: move it back to the inbox. Then empty the trash.",
		"Empty the trash of my mails, but first put \""+l.Subject+"\" from there back into the inbox.")
	t.Offer(l.Subject)
}

// Want implements ui.Wanter.
func (a *emptyTrash) Want(p *Phone) {
	p.Mail.letter(a.Letter).Folder = boxes[0]
	for i := len(p.Mail.Letters) - 1; i >= 0; i-- {
		if l := p.Mail.Letters[i]; l.Folder == boxes[4] {
			p.Mail.remove(l.ID)
		}
	}
}

// Solve implements ui.Job.
func (a *emptyTrash) Solve(p *Phone, x *ui.Pilot) {
	k, l := &p.Mail, p.Mail.letter(a.Letter)
	want := ui.Target[Phone](x)
	switch {
	case l == nil || p.Shown != "mail" || len(k.Letters) < len(want.Mail.Letters) || !k.only(boxes[4], want):
		finish(p, x)
	case l.Folder == boxes[4]:
		k.solveMove(x, l, boxes[0])
	case k.Folder == boxes[4] && k.Screen == "empty":
		x.Tap("sure", 0)
	case k.Folder == boxes[4] && k.Screen == "":
		x.Tap("empty", 0)
	case k.Screen == "folder":
		x.Tap("box", 4)
	case k.Screen != "":
		x.Back()
	default:
		x.Tap("folder", 0)
	}
}

// only says whether a folder alone differs from what is wanted, in letters too many.
func (a *Mail) only(folder string, want *Phone) bool {
	more := false
	for i := range a.Letters {
		l := &a.Letters[i]
		if copies(a.Letters, *l) > copies(want.Mail.Letters, *l) {
			if l.Folder != folder {
				return false
			}
			more = true
		}
	}
	return more
}
