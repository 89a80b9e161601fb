package phone

import "marlpit/envs/ui"

var _ = add[dropDuplicate](ui.Template{
	Name: "contacts-duplicate", Summary: "delete the one of two entries of a person that has no mail address", Apps: []string{"contacts"},
	Kind: ui.Delete, Level: 2, MaxTurns: 16,
})

// dropDuplicate asks to delete the poorer of two entries of the same name.
type dropDuplicate struct {
	ID int // of the one to delete
	mended
}

// Setup implements ui.Job.
func (a *dropDuplicate) Setup(p *Phone, t *ui.Task) {
	c := &p.Contacts
	q := ui.Pick(t.Rand, c.People)
	a.ID = c.Next
	c.put(Person{Name: q.Name, Number: c.freeNumber(t.Rand), Company: q.Company})
	t.Say(q.Name+" is in my contacts twice. Delete the entry that has no mail address.",
		"There are two entries of "+q.Name+". Keep the one with a mail address and delete the other.")
	t.Offer(q.Name, q.Mail)
}

// Want implements ui.Wanter.
func (a *dropDuplicate) Want(p *Phone) { p.Contacts.drop(a.ID) }
