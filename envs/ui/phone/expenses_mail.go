package phone

import "marlpit/envs/ui"

var _ = add[receipt](ui.Template{
	Name: "expenses-mail", Summary: "enter the expense that a mailed receipt tells of", Apps: []string{"expenses", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 34,
})

// receipt asks for an expense whose amount and day stand in a mail.
type receipt struct {
	Letter int
	Expense
}

// Setup implements ui.Job.
func (a *receipt) Setup(p *Phone, t *ui.Task) {
	a.Name, a.Category = p.Expenses.spending(t)
	goods, fee := 500+5*t.Rand.Intn(1500), 100+5*t.Rand.Intn(60)
	a.Cents, a.Day = goods+fee, p.Today-1-t.Rand.Intn(6)
	shop := ui.Pick(t.Rand, shops)
	a.Letter = p.Mail.put(Letter{Folder: boxes[0], From: "till@receipts.example", To: myAddress, Subject: "Receipt from " + shop,
		Body: "Thank you. Goods " + ui.Cents(goods) + ", fee " + ui.Cents(fee) + ", paid in all " + ui.Cents(a.Cents) + " on " + ui.Date(a.Day) + ".",
		Day:  p.Today, Minute: 8 * 60})
	t.Say("There is a receipt from "+shop+" in my mail. Enter what I paid in all as an expense \""+a.Name+"\" of the day of payment, category "+a.Category+".",
		"Add the expense \""+a.Name+"\" ("+a.Category+"): amount and date stand in the mail with the receipt from "+shop+". I mean the whole amount.")
	t.Offer(a.Name, ui.Cents(a.Cents), ui.Cents(goods), ui.Cents(fee), shop)
}

// Want implements ui.Wanter.
func (a *receipt) Want(p *Phone) { p.Expenses.put(a.Expense) }

// Solve implements ui.Job.
func (a *receipt) Solve(p *Phone, x *ui.Pilot) {
	if p.Expenses.has(a.Name) || readFirst(p, x, a.Letter) {
		finish(p, x)
	}
}
