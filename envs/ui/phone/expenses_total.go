package phone

import "marlpit/envs/ui"

var _ = add[totalOf](ui.Template{
	Name: "expenses-total", Summary: "say what was spent on two categories together in a month", Apps: []string{"expenses"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// totalOf asks for the sum of two categories in a month.
type totalOf struct {
	Month int
	Sum   string
}

// Setup implements ui.Job.
func (a *totalOf) Setup(p *Phone, t *ui.Task) {
	k := &p.Expenses
	two := ui.Draw(t.Rand, categories, 2)
	e := ui.Pick(t.Rand, k.Entries)
	a.Month = monthOf(e.Day)
	if two[1] == e.Category {
		two[0], two[1] = two[1], two[0]
	}
	two[0] = e.Category
	first, second := k.total(two[0], a.Month), k.total(two[1], a.Month)
	a.Sum = ui.Cents(first + second)
	month := ui.MonthName(a.Month)
	t.Say("How much did I spend on "+two[0]+" and "+two[1]+" together in "+month+"? Answer with the amount.",
		"Add up what went to "+two[0]+" and to "+two[1]+" in "+month+", and tell me the sum.")
	t.Answer("amount", a.Sum)
	t.Offer(a.Sum, ui.Cents(first+second+10_00), ui.Cents(first), ui.Cents(first+second+5), ui.Cents(max(0, first-second)+1))
}

// Solve implements ui.Job.
func (a *totalOf) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Sum:
		x.Complete()
	case p.Shown != "expenses":
		x.Open("expenses")
	case p.Expenses.totals(x, a.Month):
		x.Answer(a.Sum)
	}
}
