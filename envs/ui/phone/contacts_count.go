package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[countColleagues](ui.Template{
	Name: "contacts-count", Summary: "tell how many contacts work for a company", Apps: []string{"contacts"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true,
})

// countColleagues asks how many people work for a company.
type countColleagues struct{ Company, Count string }

// Setup implements ui.Job.
func (a *countColleagues) Setup(p *Phone, t *ui.Task) {
	n := 2 + t.Rand.Intn(4)
	a.Company, a.Count = ui.Pick(t.Rand, companies), strconv.Itoa(n)
	for i := range p.Contacts.People {
		if q := &p.Contacts.People[i]; q.Company == a.Company {
			q.Company = ""
		}
	}
	for _, q := range ui.Draw(t.Rand, p.Contacts.People, n) {
		p.Contacts.named(q.Name).Company = a.Company
	}
	t.Say("How many of my contacts work for "+a.Company+"? Answer with a number.",
		"Count the contacts at "+a.Company+" and tell me the number.")
	t.Answer("count", a.Count)
	t.Offer(a.Company, "2", "3", "4", "5", "6")
}

// Solve implements ui.Job.
func (a *countColleagues) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Contacts
	switch {
	case mend(p, x):
	case x.Answered() == a.Count:
		x.Complete()
	case away(p, x, "contacts"):
	case c.Screen == "" && !c.Starred && c.Search == a.Company:
		x.Answer(a.Count)
	case c.Screen == "" && !c.Starred:
		x.Type("search", 0, a.Company)
	default:
		x.Back()
	}
}
