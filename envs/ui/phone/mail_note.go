package phone

import "marlpit/envs/ui"

var _ = add[mailNote](ui.Template{
	Name: "mail-note", Summary: "mail the text of a note", Apps: []string{"mail", "notes"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 24,
})

// mailNote asks for a mail with a note's title and text.
type mailNote struct {
	Title, Body, To string
}

// Setup implements ui.Job.
func (a *mailNote) Setup(p *Phone, t *ui.Task) {
	bodies := ui.Draw(t.Rand, []string{"Three eggs, then stir.", "Turn left at the mill.", "Key under the blue pot.", "Bring a warm coat."}, 3)
	titles := ui.Draw(t.Rand, []string{"For guests", "How it works", "Remember", "The trick"}, 2)
	for i, title := range titles {
		p.Notes.put(NoteDraft{title, bodies[i], noteFolders[i]})
	}
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.Title, a.Body, a.To = titles[0], bodies[0], who.Mail
	t.Say("Mail my note \""+a.Title+"\" to "+who.Name+": its title as the subject, its text as the text.",
		who.Name+" should get a mail whose subject is \""+a.Title+"\" and whose text is what my note of that title says.")
	t.Offer(a.Title, a.To)
	t.Offer(bodies...)
}

// Want implements ui.Wanter.
func (a *mailNote) Want(p *Phone) { p.Mail.sent(p, Letter{To: a.To, Subject: a.Title, Body: a.Body}) }

// Solve implements ui.Job.
func (a *mailNote) Solve(p *Phone, x *ui.Pilot) {
	started := p.Mail.has(p, a.Title) || p.Notes.shows(a.Title)
	if started || !repaired(p, x, &p.Notes) || !p.Notes.look(p, x, a.Title) {
		finish(p, x)
	}
}
