package phone

import "marlpit/envs/ui"

var _ = add[enterDebt](ui.Template{
	Name: "messages-expense", Summary: "enter what a message says was paid", Apps: []string{"messages", "expenses"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 28,
})

// enterDebt asks for an expense whose amount stands in a message.
type enterDebt struct {
	Number, Name, Category string
	Cents                  int
}

// Setup implements ui.Job.
func (a *enterDebt) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Category = p.Expenses.spending(t)
	a.Cents, a.Number = 300+5*t.Rand.Intn(1500), drawNumbers(t.Rand, p, 1)[0]
	sum := ui.Cents(a.Cents)
	p.Messages.receive(p, a.Number, "Your share of "+a.Name+" is "+sum+".")
	name := p.Contacts.nameOf(a.Number)
	t.Say(name+" wrote what my share of \""+a.Name+"\" is. Enter it as an expense of today under that name, category "+a.Category+".",
		"Look up in the messages what I owe "+name+" for \""+a.Name+"\" and add the amount to today's expenses, under "+a.Category+" and that name.")
	t.Offer(a.Name, sum, ui.Cents(a.Cents+100), ui.Cents(a.Cents*10), name)
}

// Want implements ui.Wanter.
func (a *enterDebt) Want(p *Phone) {
	p.Expenses.put(Expense{Name: a.Name, Cents: a.Cents, Category: a.Category, Day: p.Today})
}

// Solve implements ui.Job.
func (a *enterDebt) Solve(p *Phone, x *ui.Pilot) {
	if repaired(p, x, &p.Messages) && !p.Expenses.has(a.Name) && p.Expenses.Screen != "edit" && !p.Messages.shows(a.Number) &&
		p.Messages.look(p, x, a.Number) {
		return
	}
	finish(p, x)
}
