package phone

import "marlpit/envs/ui"

var _ = add[addExpense](ui.Template{
	Name: "expenses-add", Summary: "enter an expense of today", Apps: []string{"expenses"},
	Kind: ui.Create, Level: 1, MaxTurns: 18,
})

// addExpense asks for an expense of today.
type addExpense struct {
	Name, Category string
	Cents          int
	mended
}

// spending draws what money may be spent on, and was not yet.
func (a *Expenses) spending(t *ui.Task) (name, category string) {
	i := t.Rand.Intn(len(categories))
	return fresh(t, spendings[i], a.has), categories[i]
}

// Setup implements ui.Job.
func (a *addExpense) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Category = p.Expenses.spending(t)
	a.Cents = 200 + 5*t.Rand.Intn(1800)
	sum := ui.Cents(a.Cents)
	t.Say("Enter an expense of today: \""+a.Name+"\", "+sum+", category "+a.Category+".",
		"I have just paid "+sum+" for this: "+a.Name+". Add it to my expenses under "+a.Category+".",
		"Add to today's expenses "+sum+" for \""+a.Name+"\" in the category "+a.Category+".")
	t.Offer(a.Name, sum, ui.Cents(a.Cents+10), ui.Cents(a.Cents*10), p.Expenses.Entries[0].Name)
}

// Want implements ui.Wanter.
func (a *addExpense) Want(p *Phone) {
	p.Expenses.put(Expense{Name: a.Name, Cents: a.Cents, Category: a.Category, Day: p.Today})
}
