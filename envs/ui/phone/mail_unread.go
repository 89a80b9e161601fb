package phone

import "marlpit/envs/ui"

var _ = add[markUnread](ui.Template{
	Name: "mail-unread", Summary: "mark a mail unread again", Apps: []string{"mail"},
	Kind: ui.Edit, Level: 1, MaxTurns: 10,
})

// markUnread asks for a mail to look as if it were new.
type markUnread struct{ Letter int }

// Setup implements ui.Job.
func (a *markUnread) Setup(p *Phone, t *ui.Task) {
	l := p.Mail.some(t)
	l.Read, a.Letter = true, l.ID
	t.Say("Mark the mail \""+l.Subject+"\" as unread.",
		"I want to come back to the mail \""+l.Subject+"\": it should be shown as unread.")
	t.Offer(l.Subject, p.Mail.some(t).Subject)
}

// Want implements ui.Wanter: nothing else is to change, and this mark isn't compared.
func (a *markUnread) Want(*Phone) {}

// Check implements ui.Checker.
func (a *markUnread) Check(p *Phone) string {
	if l := p.Mail.letter(a.Letter); l != nil && l.Read {
		return "the mail " + l.Subject + " is marked as read"
	}
	return ""
}

// Solve implements ui.Job.
func (a *markUnread) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Mail
	l := k.letter(a.Letter)
	switch {
	case mend(p, x), l == nil:
	case !l.Read:
		x.Complete()
	case away(p, x, "mail"):
	case k.Screen == "read" && k.Open == l.ID, k.menu(x, l):
		x.Tap("unread", 0)
	}
}
