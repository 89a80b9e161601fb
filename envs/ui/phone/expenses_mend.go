package phone

import "marlpit/envs/ui"

func (e Expense) key() int { return e.ID }

func (e Expense) plain() Expense { e.ID = 0; return e }

// toward implements mender.
func (a *Expenses) toward(p, want *Phone, x *ui.Pilot) bool {
	w := &want.Expenses
	wrong, right := repair(a.Entries, w.Entries)
	limit := -1
	for i := range a.Budgets {
		if a.Budgets[i] != w.Budgets[i] {
			limit = i
		}
	}
	switch {
	case wrong == nil && right == nil && limit < 0:
		return false
	case p.Shown != "expenses":
		x.Open("expenses")
	case wrong == nil && right == nil:
		a.solveBudget(x, limit, w.Budgets[limit])
	case right == nil:
		a.solveDelete(x, wrong)
	case wrong == nil:
		a.solveEdit(x, 0, right)
	default:
		a.solveEdit(x, wrong.ID, right)
	}
	return true
}

// list leads to the list with an entry in it.
func (a *Expenses) list(x *ui.Pilot, e *Expense) bool {
	switch {
	case a.Screen != "" || a.Totals || !a.listed(e):
		x.Back()
	default:
		return true
	}
	return false
}

// show leads to the screen of an entry.
func (a *Expenses) show(x *ui.Pilot, e *Expense) bool {
	if a.Screen == "show" && a.Open == e.ID {
		return true
	}
	if a.list(x, e) {
		x.Tap("entry", e.ID)
	}
	return false
}

// totals leads to the totals of a month.
func (a *Expenses) totals(x *ui.Pilot, month int) bool {
	switch {
	case a.Screen != "":
		x.Back()
	case !a.Totals:
		x.Tap("tab", 1)
	case wrap(a.Month) != month:
		solveDay(x, a.Month, ui.DayOf(month, 1))
	default:
		return true
	}
	return false
}

func (a *Expenses) solveBudget(x *ui.Pilot, category, cents int) {
	switch {
	case a.Screen == "budget" && a.Open == category:
		if n, _ := parseCents(a.Amount); !a.Typed || n != cents {
			x.Type("amount", 0, ui.Cents(cents))
		}
		x.Tap("save", 0)
	case a.Screen != "":
		x.Back()
	case !a.Totals:
		x.Tap("tab", 1)
	default:
		x.Tap("limit", category)
	}
}

func (a *Expenses) solveDelete(x *ui.Pilot, e *Expense) {
	switch {
	case a.Open == e.ID && a.Screen == "delete":
		x.Tap("sure", 0)
	case a.Open == e.ID && (a.Screen == "menu" || a.Screen == "show"):
		x.Tap("delete", 0)
	case a.list(x, e):
		x.Hold("entry", e.ID)
	}
}

// solveEdit makes the entry of an ID, or a new one for 0, what is wanted.
func (a *Expenses) solveEdit(x *ui.Pilot, id int, want *Expense) {
	e, d := a.entry(id), &a.Draft
	cents := d.Cents
	if a.Typed {
		cents, _ = parseCents(a.Amount)
	}
	switch {
	case a.Screen == "edit" && (id != a.Open || a.entry(a.Open) == nil != (e == nil)):
		x.Back()
	case a.Screen != "edit" && e == nil:
		if a.Screen == "" && !a.Totals {
			x.Tap("new", 0)
		}
	case a.Screen != "edit":
		if a.Open == id && a.Screen == "menu" || a.show(x, e) {
			x.Tap("edit", 0)
		}
	case a.Pick == "category":
		x.Tap("in", index(categories, want.Category))
	case a.Pick == "day":
		solveDay(x, a.Month, want.Day)
	case d.Name != want.Name:
		x.Type("name", 0, want.Name)
	case cents != want.Cents:
		x.Type("amount", 0, ui.Cents(want.Cents))
	case d.Note != want.Note:
		x.Type("note", 0, want.Note)
	case d.Category != want.Category:
		x.Tap("category", 0)
	case d.Day != want.Day:
		x.Tap("date", 0)
	default:
		x.Tap("save", 0)
	}
}
