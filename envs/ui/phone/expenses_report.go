package phone

import "marlpit/envs/ui"

var _ = add[reportTotal](ui.Template{
	Name: "expenses-report", Summary: "mail what was spent on a category in a month", Apps: []string{"expenses", "mail"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 24,
})

// reportTotal asks for a mail with a total.
type reportTotal struct {
	Month    int
	To, Sum  string
	Category string
}

// Setup implements ui.Job.
func (a *reportTotal) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Expenses.Entries)
	sum := p.Expenses.total(e.Category, monthOf(e.Day))
	who := ui.Pick(t.Rand, p.Contacts.People)
	a.Month, a.Category, a.To, a.Sum = monthOf(e.Day), e.Category, who.Mail, ui.Cents(sum)
	month := ui.MonthName(a.Month)
	t.Say("Mail "+who.Name+" how much I spent on "+a.Category+" in "+month+". The subject is \""+a.Category+"\", the text just the amount.",
		"Send a mail to "+who.Name+" under the subject \""+a.Category+"\": as its text, the total of that category in "+month+", nothing else.")
	t.Offer(a.Category, a.Sum, ui.Cents(sum+5), ui.Cents(sum+100), ui.Cents(e.Cents+1), a.To)
}

// Want implements ui.Wanter.
func (a *reportTotal) Want(p *Phone) {
	p.Mail.sent(p, Letter{To: a.To, Subject: a.Category, Body: a.Sum})
}

// Solve implements ui.Job.
func (a *reportTotal) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Expenses
	known := k.Screen == "" && k.Totals && wrap(k.Month) == a.Month
	switch {
	case known, !repaired(p, x, k), p.Mail.has(p, a.Category):
		finish(p, x)
	case !away(p, x, "expenses"):
		k.totals(x, a.Month)
	}
}

// has says whether a letter of a subject was sent now.
func (a *Mail) has(p *Phone, subject string) bool {
	for i := range a.Letters {
		if l := &a.Letters[i]; l.Subject == subject && l.Folder == boxes[1] && l.Day == p.Today {
			return true
		}
	}
	return false
}
