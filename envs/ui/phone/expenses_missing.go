package phone

import "marlpit/envs/ui"

var _ = add[missingExpense](ui.Template{
	Name: "expenses-missing", Summary: "correct an expense that isn't there", Apps: []string{"expenses"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 8, Easy: true, HeldOut: true,
})

// missingExpense asks for an expense to be corrected that was never entered.
type missingExpense struct{ Name string }

// Setup implements ui.Job.
func (a *missingExpense) Setup(p *Phone, t *ui.Task) {
	a.Name, _ = p.Expenses.spending(t)
	sum := ui.Cents(200 + 5*t.Rand.Intn(1800))
	t.Say("Change the amount of the expense \""+a.Name+"\" that I entered to "+sum+".",
		"The amount of \""+a.Name+"\" in my expenses is wrong. Correct that entry to "+sum+", without adding another.")
	t.Offer(a.Name, sum)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingExpense) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Expenses
	switch {
	case mend(p, x):
	case p.Shown != "expenses":
		x.Open("expenses")
	case k.Screen != "" || k.Totals || k.Filter != "":
		x.Back()
	case k.Search != a.Name:
		x.Type("search", 0, a.Name)
	default:
		x.Infeasible()
	}
}
