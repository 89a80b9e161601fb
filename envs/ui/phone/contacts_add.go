package phone

import "marlpit/envs/ui"

var _ = add[addContact](ui.Template{
	Name: "contacts-add", Summary: "add a contact with name and number", Apps: []string{"contacts"},
	Kind: ui.Create, Level: 1, MaxTurns: 12,
})

// addContact asks for a new contact.
type addContact struct {
	Name, Number string
	mended
}

// Setup implements ui.Job.
func (a *addContact) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Number = p.Contacts.freeName(t.Rand), p.Contacts.freeNumber(t.Rand)
	t.Say("Add a contact named "+a.Name+" with the number "+a.Number+".",
		"Please save "+a.Number+" as the number of "+a.Name+", a new contact.")
	t.Offer(a.Name, a.Number, p.Contacts.People[0].Name)
}

// Want implements ui.Wanter.
func (a *addContact) Want(p *Phone) { p.Contacts.put(Person{Name: a.Name, Number: a.Number}) }
