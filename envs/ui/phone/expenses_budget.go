package phone

import "marlpit/envs/ui"

var _ = add[setBudget](ui.Template{
	Name: "expenses-budget", Summary: "set the monthly budget of a category", Apps: []string{"expenses"},
	Kind: ui.Setting, Level: 2, MaxTurns: 14,
})

// setBudget asks for another budget.
type setBudget struct {
	Category, Cents int
	mended
}

// Setup implements ui.Job.
func (a *setBudget) Setup(p *Phone, t *ui.Task) {
	a.Category = t.Rand.Intn(len(categories))
	a.Cents = p.Expenses.Budgets[a.Category] + 500*(1+t.Rand.Intn(30))
	name, sum := categories[a.Category], ui.Cents(a.Cents)
	t.Say("Set my monthly budget for "+name+" to "+sum+".",
		"From now on I allow myself "+sum+" a month for "+name+". Change the budget in my expenses.")
	t.Offer(sum, ui.Cents(a.Cents*10), ui.Cents(a.Cents-500))
}

// Want implements ui.Wanter.
func (a *setBudget) Want(p *Phone) { p.Expenses.Budgets[a.Category] = a.Cents }
