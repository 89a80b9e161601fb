package phone

import "marlpit/envs/ui"

func (a *Expenses) view(_ *Phone, b *ui.Builder) {
	x := a.entry(a.Open)
	switch {
	case a.Screen == "edit":
		a.viewEdit(b)
		return
	case a.Screen == "show" && x != nil:
		b.Heading(x.Name)
		b.Label(b.Cents(x.Cents)).Describe("amount")
		b.Label(x.Category).Describe("category")
		b.Label(b.Date(x.Day)).Describe("date")
		b.Label(x.Note).Describe("note")
		b.Button("again", 0, "Enter again")
		b.Row(2)
		b.Button("edit", 0, "Edit")
		b.Button("delete", 0, "Delete")
		return
	}
	b.Heading("Expenses")
	b.Row(2)
	b.Tab("tab", 0, "Entries", !a.Totals)
	b.Tab("tab", 1, "Totals", a.Totals)
	if a.Totals {
		a.viewTotals(b)
	} else {
		a.viewEntries(b)
	}
	switch {
	case a.Screen == "filter":
		choose(b, "in", "Show category", categoriesOrAll, a.Filter)
	case a.Screen == "budget" && a.Open >= 0 && a.Open < len(categories):
		b.Dialog(b.Cat("Monthly budget for ", categories[a.Open]))
		b.Field("amount", 0, "Amount", a.amount(b))
		b.Row(2)
		b.Button("close", 0, "Cancel")
		b.Button("save", 0, "Save").Disable(!a.ready())
	case x == nil:
	case a.Screen == "menu":
		menu(b, x.Name)
		b.Button("edit", 0, "Edit")
		b.Button("again", 0, "Enter again")
		b.Button("delete", 0, "Delete")
	case a.Screen == "delete":
		sure(b, b.Cat("Delete ", x.Name, ", ", b.Cents(x.Cents), "?"))
	}
}

func (a *Expenses) viewEntries(b *ui.Builder) {
	b.Row(2)
	b.Button("new", 0, "Add expense")
	shown := a.Filter
	if shown == "" {
		shown = categoriesOrAll[0]
	}
	b.Select("filter", 0, "Category", shown)
	b.Field("search", 0, "Search", a.Search)
	b.Scroll("entries", 0)
	for i := range a.Entries {
		if x := &a.Entries[i]; a.listed(x) {
			b.Item("entry", x.ID, x.Name, b.Cat(b.Cents(x.Cents), ", ", x.Category, ", ", b.Date(x.Day))).Long()
		}
	}
	b.End()
}

func (a *Expenses) viewTotals(b *ui.Builder) {
	b.Row(3)
	b.Icon("month-before", 0, "Month before")
	b.Label(ui.MonthName(a.Month)).Describe("month")
	b.Icon("month-after", 0, "Month after")
	b.Scroll("totals", 0)
	for i, c := range categories {
		b.Item("limit", i, b.Cat(c, ": ", b.Cents(a.total(c, wrap(a.Month)))), b.Cat("budget ", b.Cents(a.Budgets[i])))
	}
	b.End()
}

func (a *Expenses) viewEdit(b *ui.Builder) {
	d := &a.Draft
	if a.Open == 0 {
		b.Heading("New expense")
	} else {
		b.Heading("Edit expense")
	}
	b.Field("name", 0, "What for", d.Name)
	b.Field("amount", 0, "Amount", a.amount(b))
	b.Field("note", 0, "Note", d.Note)
	b.Row(2)
	b.Select("category", 0, "Category", d.Category)
	b.Select("date", 0, "Date", b.Date(d.Day))
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button("save", 0, "Save").Disable(d.Name == "" || !a.ready())
	switch a.Pick {
	case "category":
		choose(b, "in", "Category", categories, d.Category)
	case "day":
		viewDays(b, a.Month, d.Day)
	}
}

// amount is what the field of the draft's amount shows.
func (a *Expenses) amount(b *ui.Builder) string {
	switch {
	case a.Typed:
		return a.Amount
	case a.Draft.Cents == 0:
		return ""
	}
	return b.Cents(a.Draft.Cents)
}
