package phone

import "marlpit/envs/ui"

var _ = add[addFullContact](ui.Template{
	Name: "contacts-add-full", Summary: "add a contact with number, mail and company", Apps: []string{"contacts"},
	Kind: ui.Create, Level: 2, MaxTurns: 16, HeldOut: true,
})

// addFullContact asks for a new contact with all that a card holds.
type addFullContact struct {
	Name, Number, Company string
	mended
}

// Setup implements ui.Job.
func (a *addFullContact) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Number = p.Contacts.freeName(t.Rand), p.Contacts.freeNumber(t.Rand)
	a.Company = ui.Pick(t.Rand, companies)
	t.Say("Create a contact for "+a.Name+" of "+a.Company+": number "+a.Number+", mail "+mailOf(a.Name)+".",
		a.Name+" works for "+a.Company+" and can be reached at "+a.Number+" and "+mailOf(a.Name)+". Put all of it into a new contact.")
	other := p.Contacts.People[0]
	t.Offer(a.Name, a.Number, mailOf(a.Name), a.Company, other.Number, other.Mail)
}

// Want implements ui.Wanter.
func (a *addFullContact) Want(p *Phone) {
	p.Contacts.put(Person{Name: a.Name, Number: a.Number, Mail: mailOf(a.Name), Company: a.Company})
}
