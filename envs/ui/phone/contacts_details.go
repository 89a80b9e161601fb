package phone

import "marlpit/envs/ui"

var _ = add[findDetails](ui.Template{
	Name: "contacts-details", Summary: "tell where somebody works, and the mail address", Apps: []string{"contacts"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true,
})

// findDetails asks for two things about somebody.
type findDetails struct{ Name, Answer string }

// Setup implements ui.Job.
func (a *findDetails) Setup(p *Phone, t *ui.Task) {
	q := ui.Pick(t.Rand, p.Contacts.People)
	a.Name, a.Answer = q.Name, q.Company+", "+q.Mail
	t.Say("For which company does "+a.Name+" work, and what is the mail address? Answer with company, mail.",
		"I need the company and the mail address of "+a.Name+", in this order, with a comma between.")
	t.Answer("company", q.Company)
	t.Answer("mail", q.Mail)
	other := fresh(t, companies, func(s string) bool { return s == q.Company })
	t.Offer(a.Answer, other+", "+q.Mail, q.Company+", "+mailOf(p.Contacts.freeName(t.Rand)), a.Name)
}

// Solve implements ui.Job.
func (a *findDetails) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case !p.Contacts.look(p, x, a.Name):
		x.Answer(a.Answer)
	}
}
