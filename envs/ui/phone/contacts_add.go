package phone

import "marlpit/envs/ui"

var _ = add[addContact](ui.Template{
	Name: "contacts-add", Summary: "add a contact with name and number", Apps: []string{"contacts"},
	Kind: ui.Create, Level: 1, MaxTurns: 10,
})

// addContact asks for a new contact.
type addContact struct{ Name, Number string }

// Setup implements ui.Job.
func (a *addContact) Setup(p *Phone, t *ui.Task) {
	for a.Name == "" || p.Contacts.named(a.Name) != nil {
		a.Name = ui.Pick(t.Rand, fullNames)
	}
	a.Number = phoneNumber(t.Rand)
	t.Say("Add a contact named "+a.Name+" with the number "+a.Number+".",
		"Please save "+a.Number+" as the number of "+a.Name+", a new contact.")
	t.Offer(a.Name, a.Number, p.Contacts.People[0].Name)
}

// Want implements ui.Wanter.
func (a *addContact) Want(p *Phone) { p.Contacts.put(Person{Name: a.Name, Number: a.Number}) }

// Solve implements ui.Job.
func (a *addContact) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Contacts
	switch {
	case c.named(a.Name) != nil:
		x.Complete()
	case p.Shown != "contacts":
		x.Open("contacts")
	case c.Screen == "":
		x.Tap("new", 0)
	case c.Screen != "edit" || c.Open != 0 || c.Draft.Mail != "":
		x.Back()
	case c.Draft.Name != a.Name:
		x.Type("name", 0, a.Name)
	case c.Draft.Number != a.Number:
		x.Type("number", 0, a.Number)
	default:
		x.Tap("save", 0)
	}
}
