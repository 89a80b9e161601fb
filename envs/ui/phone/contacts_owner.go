package phone

import "marlpit/envs/ui"

var _ = add[findOwner](ui.Template{
	Name: "contacts-owner", Summary: "tell whose number it is", Apps: []string{"contacts"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// findOwner asks who has a number.
type findOwner struct{ Name, Number string }

// Setup implements ui.Job.
func (a *findOwner) Setup(p *Phone, t *ui.Task) {
	some := ui.Draw(t.Rand, p.Contacts.People, 4)
	a.Name, a.Number = some[0].Name, some[0].Number
	t.Say("Somebody called from "+a.Number+". Whose number is it? Answer with the full name.",
		"Find the contact with the number "+a.Number+" and tell me the name.")
	t.Answer("name", a.Name)
	t.Offer(a.Number, a.Name, some[1].Name, some[2].Name, some[3].Number)
}

// Solve implements ui.Job.
func (a *findOwner) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Contacts
	switch {
	case mend(p, x):
	case x.Answered() == a.Name:
		x.Complete()
	case away(p, x, "contacts"):
	case c.Screen == "" && c.Search == a.Number && !c.Starred, c.shows(a.Name):
		x.Answer(a.Name)
	case c.Screen == "" && !c.Starred:
		x.Type("search", 0, a.Number)
	default:
		x.Back()
	}
}
