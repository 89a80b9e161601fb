package phone

import "marlpit/envs/ui"

var _ = add[forwardMessage](ui.Template{
	Name: "messages-forward", Summary: "forward a message to somebody else", Apps: []string{"messages"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 18,
})

// forwardMessage asks to send somebody's message on. Nobody offers its words:
// learners have to use the message's menu.
type forwardMessage struct{ From, To, Body string }

// Setup implements ui.Job.
func (a *forwardMessage) Setup(p *Phone, t *ui.Task) {
	two := drawNumbers(t.Rand, p, 2)
	a.From, a.To, a.Body = two[0], two[1], ui.Pick(t.Rand, errands)
	p.Messages.receive(p, a.From, a.Body)
	from, to := p.Contacts.nameOf(a.From), p.Contacts.nameOf(a.To)
	t.Say("Forward the latest message of "+from+" to "+to+".",
		to+" should see what "+from+" wrote to me last. Forward it.")
	t.Offer(from, to)
}

// Want implements ui.Wanter.
func (a *forwardMessage) Want(p *Phone) { p.Messages.send(p, a.To, a.Body) }

// Solve implements ui.Job.
func (a *forwardMessage) Solve(p *Phone, x *ui.Pilot) {
	m := &p.Messages
	from := m.thread(a.From)
	target := ui.Target[Phone](x)
	switch to := m.thread(a.To); {
	case from == nil, to != nil && sameTexts(to.Texts, target.Messages.thread(a.To).Texts),
		p.Shown != "messages", m.shows(a.To) && m.Draft == a.Body, m.Screen == "menu", m.Screen == "delete":
		finish(p, x)
	case m.Screen == "forward" && m.Open == a.From:
		if e := from.text(m.Text); e != nil && e.Body == a.Body {
			x.Tap("to", p.Contacts.numbered(a.To).ID)
		}
	default:
		m.solveText(x, from, &from.Texts[len(from.Texts)-1], "forward")
	}
}
