package phone

import "marlpit/envs/ui"

var _ = add[showMonth](ui.Template{
	Name: "expenses-month", Summary: "show the totals of a month", Apps: []string{"expenses"},
	Kind: ui.Navigate, Level: 1, MaxTurns: 14, HeldOut: true,
})

// showMonth asks for the totals of another month.
type showMonth struct{ Month int }

// Setup implements ui.Job.
func (a *showMonth) Setup(p *Phone, t *ui.Task) {
	a.Month = wrap(monthOf(p.Today) - 2 - t.Rand.Intn(3))
	month := ui.MonthName(a.Month)
	t.Say("Show the totals of my expenses in "+month+".",
		"Bring the screen up that says what I spent on each category in "+month+".")
	t.Offer(month, ui.MonthName(a.Month+1))
}

// Want implements ui.Wanter: nothing is to change.
func (a *showMonth) Want(*Phone) {}

// Check implements ui.Checker.
func (a *showMonth) Check(p *Phone) string {
	switch k := &p.Expenses; {
	case p.Shown != "expenses" || k.Screen != "" || !k.Totals:
		return "no totals are shown"
	case wrap(k.Month) != a.Month:
		return "the totals are those of " + ui.MonthName(k.Month)
	}
	return ""
}

// Solve implements ui.Job.
func (a *showMonth) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case away(p, x, "expenses"):
	case p.Expenses.totals(x, a.Month):
		x.Complete()
	}
}
