package phone

import "marlpit/envs/ui"

var _ = add[deleteExpense](ui.Template{
	Name: "expenses-delete", Summary: "delete an expense", Apps: []string{"expenses"},
	Kind: ui.Delete, Level: 1, MaxTurns: 12,
})

// deleteExpense asks for an expense to be taken out.
type deleteExpense struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *deleteExpense) Setup(p *Phone, t *ui.Task) {
	a.Name = ui.Pick(t.Rand, p.Expenses.Entries).Name
	t.Say("Delete the expense \""+a.Name+"\".",
		"\""+a.Name+"\" was paid by somebody else: remove it from my expenses.")
	t.Offer(a.Name, ui.Pick(t.Rand, p.Expenses.Entries).Name)
}

// Want implements ui.Wanter.
func (a *deleteExpense) Want(p *Phone) { p.Expenses.remove(p.Expenses.named(a.Name).ID) }
