package phone

import "marlpit/envs/ui"

var _ = add[moveEmployer](ui.Template{
	Name: "contacts-employer", Summary: "give the colleagues of one company another one", Apps: []string{"contacts"},
	Kind: ui.Several, Level: 3, MaxTurns: 26,
})

// moveEmployer asks to change the company of two people.
type moveEmployer struct {
	Names [2]string
	To    string
	mended
}

// Setup implements ui.Job.
func (a *moveEmployer) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Contacts.People, 2)
	a.Names = [2]string{two[0].Name, two[1].Name}
	a.To = fresh(t, companies, func(s string) bool { return s == two[0].Company || s == two[1].Company })
	t.Say(two[0].Name+" and "+two[1].Name+" both work for "+a.To+" now. Update the company of both contacts.",
		"Set the company of "+two[0].Name+" and of "+two[1].Name+" to "+a.To+".")
	t.Offer(a.To, two[0].Company, two[0].Name, two[1].Name)
}

// Want implements ui.Wanter.
func (a *moveEmployer) Want(p *Phone) {
	for _, n := range a.Names {
		p.Contacts.named(n).Company = a.To
	}
}
