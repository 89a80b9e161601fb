package phone

import "marlpit/envs/ui"

var _ = add[saveSender](ui.Template{
	Name: "messages-save-sender", Summary: "save who wrote from an unknown number", Apps: []string{"messages", "contacts"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 16,
})

// saveSender asks to make a contact of the sender of a message.
type saveSender struct{ Name, Number string }

// Setup implements ui.Job.
func (a *saveSender) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Number = p.Contacts.freeName(t.Rand), p.Contacts.freeNumber(t.Rand)
	p.Messages.receive(p, a.Number, "Hello, "+a.Name+" here. This is my new number.")
	decoy := fresh(t, fullNames, func(s string) bool { return s == a.Name || p.Contacts.named(s) != nil })
	at := ui.Clock(p.Now - 25)
	t.Say("At "+at+" somebody wrote from a number I haven't saved, and gave a name. Add a contact with that full name and number.",
		"The message of "+at+" is from an unknown number; the sender's name is in it. Save both as a contact.")
	t.Offer(a.Name, a.Number, decoy, p.Contacts.People[0].Number)
}

// Want implements ui.Wanter.
func (a *saveSender) Want(p *Phone) { p.Contacts.put(Person{Name: a.Name, Number: a.Number}) }

// Solve implements ui.Job.
func (a *saveSender) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Contacts
	wrong, right := repair(c.People, ui.Target[Phone](x).Contacts.People)
	asked := wrong == nil && right != nil && right.Number == a.Number
	draft := p.Shown == "contacts" && c.Screen == "edit" && (c.Draft.Name == a.Name || c.Draft.Number == a.Number)
	switch {
	case !repaired(p, x, &p.Messages) || !asked || draft:
		finish(p, x)
	case !p.Messages.look(p, x, a.Number):
		x.Tap("person", 0)
	}
}
