package phone

import "marlpit/envs/ui"

var _ = add[largest](ui.Template{
	Name: "expenses-largest", Summary: "find the largest expense of a category and its date", Apps: []string{"expenses"},
	Kind: ui.Find, Level: 2, MaxTurns: 14, Easy: true, HeldOut: true,
})

// largest asks for the name and the day of the largest expense of a category.
type largest struct{ Category, Answer string }

// Setup implements ui.Job.
func (a *largest) Setup(p *Phone, t *ui.Task) {
	k := &p.Expenses
	a.Category = ui.Pick(t.Rand, categories)
	var most, other *Expense
	for i := range k.Entries {
		switch e := &k.Entries[i]; {
		case e.Category != a.Category:
		case most == nil:
			most = e
		case e.Cents > most.Cents:
			other, most = most, e
		default:
			other = e
		}
	}
	if other.Cents == most.Cents {
		most.Cents += 100
	}
	a.Answer = most.Name + ", " + ui.Date(most.Day)
	t.Say("Which expense of the category "+a.Category+" was the largest, and on which date? Answer with name and date.",
		"On what did I spend most in "+a.Category+", and when? Give name and date.")
	t.Answer("name", most.Name)
	t.Answer("date", ui.Date(most.Day))
	t.Offer(a.Answer, other.Name+", "+ui.Date(other.Day), most.Name+", "+ui.Date(other.Day+1), other.Name+", "+ui.Date(most.Day+2))
}

// Solve implements ui.Job.
func (a *largest) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Expenses
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case p.Shown != "expenses":
		x.Open("expenses")
	case k.Screen == "filter":
		x.Tap("in", index(categoriesOrAll, a.Category))
	case k.Screen != "" || k.Totals || k.Search != "":
		x.Back()
	case k.Filter != a.Category:
		x.Tap("filter", 0)
	default:
		x.Answer(a.Answer)
	}
}
