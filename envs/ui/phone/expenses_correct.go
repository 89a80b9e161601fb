package phone

import "marlpit/envs/ui"

var _ = add[correct](ui.Template{
	Name: "expenses-correct", Summary: "correct the amount of an expense", Apps: []string{"expenses"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// correct asks for another amount.
type correct struct {
	Name  string
	Cents int
	mended
}

// Setup implements ui.Job.
func (a *correct) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Expenses.Entries)
	a.Name, a.Cents = e.Name, e.Cents+5*(1+t.Rand.Intn(200))
	sum := ui.Cents(a.Cents)
	t.Say("Correct the expense \""+a.Name+"\": it was "+sum+", not "+ui.Cents(e.Cents)+".",
		"I got an amount wrong. Change \""+a.Name+"\" in my expenses to "+sum+".")
	t.Offer(sum, ui.Cents(e.Cents), ui.Cents(a.Cents+100), a.Name)
}

// Want implements ui.Wanter.
func (a *correct) Want(p *Phone) { p.Expenses.named(a.Name).Cents = a.Cents }
