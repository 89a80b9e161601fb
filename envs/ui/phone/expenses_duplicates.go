package phone

import "marlpit/envs/ui"

var _ = add[duplicates](ui.Template{
	Name: "expenses-duplicates", Summary: "delete what was entered twice, keeping one of each", Apps: []string{"expenses"},
	Kind: ui.Several, Level: 3, MaxTurns: 24,
})

// duplicates asks for one of each two equal expenses to be deleted.
type duplicates struct {
	IDs []int // of the second ones
	mended
}

// Setup implements ui.Job.
func (a *duplicates) Setup(p *Phone, t *ui.Task) {
	k := &p.Expenses
	for _, e := range ui.Draw(t.Rand, k.Entries, 2+t.Rand.Intn(2)) {
		a.IDs = append(a.IDs, k.Next)
		k.put(e)
	}
	near := ui.Pick(t.Rand, k.Entries) // bought again, for another price: no duplicate
	near.Cents += 150
	k.put(near)
	n := counts[len(a.IDs)]
	t.Say("I entered "+n+" expenses twice, with the same amount and date. Delete the second copies, so that each is there once.",
		"There are "+n+" exact duplicates among my expenses: remove them and keep one of each. Entries that differ in anything stay.")
	t.Offer(near.Name, n)
}

// Want implements ui.Wanter.
func (a *duplicates) Want(p *Phone) {
	for _, id := range a.IDs {
		p.Expenses.remove(id)
	}
}
