package phone

import "marlpit/envs/ui"

var _ = add[renumberContact](ui.Template{
	Name: "contacts-renumber", Summary: "give a contact a new number", Apps: []string{"contacts"},
	Kind: ui.Edit, Level: 1, MaxTurns: 12,
})

// renumberContact asks for another number of somebody.
type renumberContact struct {
	Name, Number string
	mended
}

// Setup implements ui.Job.
func (a *renumberContact) Setup(p *Phone, t *ui.Task) {
	q := ui.Pick(t.Rand, p.Contacts.People)
	a.Name, a.Number = q.Name, p.Contacts.freeNumber(t.Rand)
	t.Say("Change the number of "+a.Name+" to "+a.Number+".",
		a.Name+" has a new number, "+a.Number+". Correct it in my contacts.",
		"In the contacts, replace "+a.Name+"'s number by "+a.Number+".")
	t.Offer(a.Number, p.Contacts.freeNumber(t.Rand), a.Name)
}

// Want implements ui.Wanter.
func (a *renumberContact) Want(p *Phone) { p.Contacts.named(a.Name).Number = a.Number }
