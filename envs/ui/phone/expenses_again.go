package phone

import "marlpit/envs/ui"

var _ = add[again](ui.Template{
	Name: "expenses-again", Summary: "enter an earlier expense again for today", Apps: []string{"expenses"},
	Kind: ui.Create, Level: 2, MaxTurns: 14,
})

// again asks for an expense like an earlier one, with today's date.
type again struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *again) Setup(p *Phone, t *ui.Task) {
	a.Name = ui.Pick(t.Rand, p.Expenses.Entries).Name
	t.Say("I bought \""+a.Name+"\" again today for the same price. Add it to my expenses.",
		"Enter \""+a.Name+"\" once more, with the same amount and category as before and today's date.")
	t.Offer(a.Name, ui.Cents(p.Expenses.named(a.Name).Cents))
}

// Want implements ui.Wanter.
func (a *again) Want(p *Phone) {
	e := *p.Expenses.named(a.Name)
	e.Day = p.Today
	p.Expenses.put(e)
}
