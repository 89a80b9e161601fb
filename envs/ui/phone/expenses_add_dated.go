package phone

import "marlpit/envs/ui"

var _ = add[addPast](ui.Template{
	Name: "expenses-add-dated", Summary: "enter an expense of an earlier day with a note", Apps: []string{"expenses"},
	Kind: ui.Create, Level: 2, MaxTurns: 26, HeldOut: true,
})

// addPast asks for an expense of an earlier day, with a note.
type addPast struct {
	Expense
	mended
}

// payers are notes on who paid, or how.
var payers = []string{"paid in cash", "paid by card", "shared with friends", "to be refunded", "gift", "on the way home"}

// Setup implements ui.Job.
func (a *addPast) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Category = p.Expenses.spending(t)
	a.Cents, a.Note = 200+5*t.Rand.Intn(1800), ui.Pick(t.Rand, payers)
	a.Day = p.Today - 1 - t.Rand.Intn(30)
	sum, day := ui.Cents(a.Cents), ui.Date(a.Day)
	t.Say("On "+day+" I spent "+sum+" on \""+a.Name+"\". Add it to my expenses in the category "+a.Category+
		" with the note \""+a.Note+"\".",
		"Add the expense \""+a.Name+"\" of "+day+": "+sum+", category "+a.Category+", note \""+a.Note+"\".")
	t.Offer(a.Name, sum, a.Note, ui.Pick(t.Rand, payers), ui.Cents(a.Cents+50))
}

// Want implements ui.Wanter.
func (a *addPast) Want(p *Phone) { p.Expenses.put(a.Expense) }
