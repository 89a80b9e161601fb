package phone

import "marlpit/envs/ui"

var _ = add[clearCategory](ui.Template{
	Name: "expenses-clear-category", Summary: "delete all expenses of a category", Apps: []string{"expenses"},
	Kind: ui.Several, Level: 2, MaxTurns: 26,
})

// clearCategory asks for a category to be emptied.
type clearCategory struct {
	Category string
	mended
}

// Setup implements ui.Job.
func (a *clearCategory) Setup(_ *Phone, t *ui.Task) {
	a.Category = ui.Pick(t.Rand, categories)
	t.Say("Delete all expenses of the category "+a.Category+".",
		"I keep account of "+a.Category+" elsewhere now. Remove every expense of that category here.")
	t.Offer(a.Category, ui.Pick(t.Rand, categories))
}

// Want implements ui.Wanter.
func (a *clearCategory) Want(p *Phone) {
	k := &p.Expenses
	for i := len(k.Entries) - 1; i >= 0; i-- {
		if k.Entries[i].Category == a.Category {
			k.remove(k.Entries[i].ID)
		}
	}
}
