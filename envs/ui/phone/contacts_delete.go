package phone

import "marlpit/envs/ui"

var _ = add[deleteContact](ui.Template{
	Name: "contacts-delete", Summary: "delete a contact", Apps: []string{"contacts"},
	Kind: ui.Delete, Level: 1, MaxTurns: 12,
})

// deleteContact asks to take somebody out.
type deleteContact struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *deleteContact) Setup(p *Phone, t *ui.Task) {
	a.Name = ui.Pick(t.Rand, p.Contacts.People).Name
	t.Say("Delete the contact "+a.Name+".", "I don't need "+a.Name+" in my contacts any more.",
		"Remove "+a.Name+" from the contacts.")
	t.Offer(a.Name)
}

// Want implements ui.Wanter.
func (a *deleteContact) Want(p *Phone) { p.Contacts.drop(p.Contacts.named(a.Name).ID) }
