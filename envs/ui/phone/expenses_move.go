package phone

import "marlpit/envs/ui"

var _ = add[moveExpenses](ui.Template{
	Name: "expenses-move", Summary: "put two expenses into another category", Apps: []string{"expenses"},
	Kind: ui.Several, Level: 3, MaxTurns: 28,
})

// moveExpenses asks for two expenses to be put into one category.
type moveExpenses struct {
	Names    [2]string
	Category string
	mended
}

// Setup implements ui.Job.
func (a *moveExpenses) Setup(p *Phone, t *ui.Task) {
	two := ui.Draw(t.Rand, p.Expenses.Entries, 2)
	a.Names[0], a.Names[1] = two[0].Name, two[1].Name
	a.Category = fresh(t, categories, func(s string) bool { return s == two[0].Category || s == two[1].Category })
	t.Say("Put the expenses \""+a.Names[0]+"\" and \""+a.Names[1]+"\" into the category "+a.Category+".",
		"Both \""+a.Names[0]+"\" and \""+a.Names[1]+"\" belong to "+a.Category+". Correct their category.")
	t.Offer(a.Names[0], a.Names[1], a.Category)
}

// Want implements ui.Wanter.
func (a *moveExpenses) Want(p *Phone) {
	for _, n := range a.Names {
		p.Expenses.named(n).Category = a.Category
	}
}
