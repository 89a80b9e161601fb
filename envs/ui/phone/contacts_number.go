package phone

import "marlpit/envs/ui"

var _ = add[findNumber](ui.Template{
	Name: "contacts-number", Summary: "tell somebody's number", Apps: []string{"contacts"},
	Kind: ui.Find, Level: 1, MaxTurns: 10,
})

// findNumber asks for a number.
type findNumber struct{ Name, Number string }

// Setup implements ui.Job.
func (a *findNumber) Setup(p *Phone, t *ui.Task) {
	q := ui.Pick(t.Rand, p.Contacts.People)
	a.Name, a.Number = q.Name, q.Number
	t.Say("What is the phone number of "+a.Name+"? Answer with the number alone.",
		"Look "+a.Name+" up in the contacts and tell me the number.")
	t.Answer("number", a.Number)
	t.Offer(a.Name)
}

// Solve implements ui.Job.
func (a *findNumber) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Number:
		x.Complete()
	case !p.Contacts.look(p, x, a.Name):
		x.Answer(a.Number)
	}
}
