package phone

import "marlpit/envs/ui"

func (a *Expenses) update(p *Phone, e ui.Event) bool {
	x := a.entry(a.Open)
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back(x, p.Today)
	case a.Screen == "edit":
		a.edit(x, e)
	case a.Screen == "budget":
		a.budget(e)
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Click, "tab"):
		a.Totals = e.Key == 1
	case e.Is(ui.Click, "month-before"), e.Is(ui.Click, "month-after"):
		updateDays(e, &a.Month)
	case e.Is(ui.Click, "limit") && e.Key >= 0 && e.Key < len(a.Budgets):
		a.Screen, a.Open, a.Typed = "budget", e.Key, false
		a.Draft = Expense{Cents: a.Budgets[e.Key]}
	case e.Is(ui.Click, "filter"):
		a.Screen = "filter"
	case e.Is(ui.Click, "in"):
		if f, ok := chosen(e, "in", categoriesOrAll); ok {
			a.Filter, a.Screen = f, ""
			if e.Key == 0 {
				a.Filter = ""
			}
		}
	case e.Is(ui.Click, "new"):
		a.start(0, Expense{Category: categories[0], Day: p.Today})
	case e.Is(ui.Click, "entry"):
		a.Screen, a.Open = "show", e.Key
	case e.Is(ui.Press, "entry"):
		a.Screen, a.Open = "menu", e.Key
	case x == nil: // what follows is about the entry shown
	case e.Is(ui.Click, "edit"):
		a.start(x.ID, *x)
	case e.Is(ui.Click, "again"):
		a.start(0, Expense{Name: x.Name, Cents: x.Cents, Category: x.Category, Day: p.Today})
	case e.Is(ui.Click, "delete"):
		a.Screen = "delete"
	case e.Is(ui.Click, "sure"):
		a.remove(x.ID)
		a.Screen, a.Open = "", 0
	}
	return true
}

// start opens the screen of a draft.
func (a *Expenses) start(id int, draft Expense) {
	a.Screen, a.Open, a.Draft, a.Typed, a.Amount, a.Pick = "edit", id, draft, false, "", ""
}

// back leaves what is uppermost.
func (a *Expenses) back(x *Expense, today int) bool {
	switch {
	case a.Screen == "edit" && a.Pick != "":
		a.Pick = ""
	case a.Screen == "edit" && x != nil:
		a.Screen = "show"
	case a.Screen == "" && a.Totals:
		a.open()
		a.Month = monthOf(today)
	case a.Screen == "" && (a.Search != "" || a.Filter != ""):
		a.open()
	case a.Screen == "":
		return false
	default:
		a.Screen = ""
	}
	return true
}

// edit handles the screen of the draft.
func (a *Expenses) edit(x *Expense, e ui.Event) {
	d := &a.Draft
	switch {
	case e.Is(ui.Input, "name"):
		d.Name = e.Text
	case e.Is(ui.Input, "amount"):
		a.Typed, a.Amount = true, e.Text
	case e.Is(ui.Input, "note"):
		d.Note = e.Text
	case e.Is(ui.Click, "category"):
		a.Pick = "category"
	case e.Is(ui.Click, "date"):
		a.Pick, a.Month = "day", monthOf(d.Day)
	case e.Is(ui.Click, "save") && d.Name != "" && a.ready():
		if a.Typed {
			d.Cents, _ = parseCents(a.Amount)
		}
		if a.Screen = ""; x == nil {
			a.put(*d)
			return
		}
		d.ID, a.Screen = x.ID, "show"
		*x = *d
		a.sort()
	}
	if c, ok := chosen(e, "in", categories); ok {
		d.Category, a.Pick = c, ""
	}
	if day := updateDays(e, &a.Month); day >= 0 {
		d.Day, a.Pick = day, ""
	}
}

// budget handles the dialog of a category's budget.
func (a *Expenses) budget(e ui.Event) {
	switch {
	case e.Is(ui.Input, "amount"):
		a.Typed, a.Amount = true, e.Text
	case e.Is(ui.Click, "save") && a.ready() && a.Open >= 0 && a.Open < len(a.Budgets):
		if a.Typed {
			a.Budgets[a.Open], _ = parseCents(a.Amount)
		}
		a.Screen, a.Open = "", 0
	}
}
