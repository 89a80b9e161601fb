package phone

import "marlpit/envs/ui"

var _ = add[scheduleMessage](ui.Template{
	Name: "messages-schedule", Summary: "send a message later, which the app can't", Apps: []string{"messages"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 10, Easy: true,
})

// scheduleMessage asks for what the app doesn't have.
type scheduleMessage struct{ Number, Body string }

// Setup implements ui.Job.
func (a *scheduleMessage) Setup(p *Phone, t *ui.Task) {
	a.Number, a.Body = drawNumbers(t.Rand, p, 1)[0], ui.Pick(t.Rand, errands)
	name, day := p.Contacts.nameOf(a.Number), ui.Date(p.Today+1+t.Rand.Intn(6))
	t.Say("Write to "+name+": "+a.Body+" Let the phone send it by itself on "+day+", not now.",
		"Schedule the message \""+a.Body+"\" to "+name+" for "+day+"; it must not go out today.")
	t.Offer(a.Body, name, day)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *scheduleMessage) Solve(p *Phone, x *ui.Pilot) {
	if !mend(p, x) && !p.Messages.look(p, x, a.Number) {
		x.Infeasible()
	}
}
