package phone

import "marlpit/envs/ui"

var _ = add[missingContact](ui.Template{
	Name: "contacts-missing", Summary: "change the number of somebody who isn't there", Apps: []string{"contacts"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 10, Easy: true,
})

// missingContact asks to change a contact that doesn't exist.
type missingContact struct{ Name string }

// Setup implements ui.Job.
func (a *missingContact) Setup(p *Phone, t *ui.Task) {
	a.Name = p.Contacts.freeName(t.Rand)
	number := p.Contacts.freeNumber(t.Rand)
	t.Say("Change the number of the contact "+a.Name+" to "+number+". Don't create a contact.",
		a.Name+" is in my contacts. Correct the number to "+number+", but add nobody.")
	t.Offer(a.Name, number, p.Contacts.People[0].Name)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingContact) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Contacts
	switch {
	case mend(p, x):
	case away(p, x, "contacts"):
	case c.Screen == "" && c.Search == a.Name && !c.Starred:
		x.Infeasible()
	case c.Screen == "" && !c.Starred:
		x.Type("search", 0, a.Name)
	default:
		x.Back()
	}
}
