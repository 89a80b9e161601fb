package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Expenses is the app of what was spent.
type Expenses struct {
	Entries []Expense `ui:"set"` // the newest first
	Budgets [6]int    // hundredths a month, for each of categories
	Next    int       `ui:"id"` // the next entry's ID

	Screen string  `ui:"view"` // "" the list, "show", "edit", "budget", and over the list "menu", "delete", "filter"
	Open   int     `ui:"view"` // ID of the entry shown, 0 for a new one; of "budget", the category
	Totals bool    `ui:"view"` // totals of a month in place of the list
	Month  int     `ui:"view"` // of the totals, or of the choice of days
	Filter string  `ui:"view"` // the list shows this category only; "" for all
	Search string  `ui:"view"`
	Draft  Expense `ui:"view"`
	Typed  bool    `ui:"view"` // the draft's amount was typed: as Amount
	Amount string  `ui:"view"`
	Pick   string  `ui:"view"` // what is being chosen for the draft: "category", "day" or ""
}

// Expense is one thing paid for.
type Expense struct {
	ID       int `ui:"id"`
	Name     string
	Cents    int    // hundredths
	Category string // one of categories
	Day      int
	Note     string
}

var (
	categories      = []string{"Food", "Transport", "Housing", "Health", "Leisure", "Clothing"}
	categoriesOrAll = append([]string{"All"}, categories...)
)

// spendings are what money may be spent on: category by category.
var spendings = [6][]string{
	{"Bakery", "Groceries", "Market stall", "Lunch at work", "Pizza evening", "Coffee beans"},
	{"Bus ticket", "Taxi ride", "Bike repair", "Fuel", "Train to the coast", "Parking"},
	{"Electricity", "New lamp", "Water bill", "Paint", "Door lock", "Curtains"},
	{"Pharmacy", "Eye test", "Dentist", "Vitamins", "Massage", "Bandages"},
	{"Cinema", "Concert", "Board game", "Museum", "Novel", "Bowling"},
	{"Rain jacket", "Socks", "Winter boots", "Scarf", "Shirt", "Tailor"},
}

func (a *Expenses) fill(p *Phone, r *envs.Rand) {
	*a = Expenses{Entries: a.Entries[:0], Next: 1}
	for i, c := range categories {
		for _, name := range ui.Draw(r, spendings[i], 2+r.Intn(2)) {
			a.put(Expense{Name: name, Cents: 300 + 5*r.Intn(1500), Category: c, Day: p.Today - r.Intn(min(p.Today, 70))})
		}
		a.Budgets[i] = 100_00 + 10_00*r.Intn(30)
	}
	a.Month = monthOf(p.Today)
}

// open keeps the month of the totals.
func (a *Expenses) open() {
	*a = Expenses{Entries: a.Entries, Budgets: a.Budgets, Next: a.Next, Month: a.Month}
}

// put adds an entry under an ID of its own.
func (a *Expenses) put(e Expense) {
	e.ID = a.Next
	a.Next++
	a.Entries = append(a.Entries, e)
	a.sort()
}

func (a *Expenses) sort() {
	slices.SortStableFunc(a.Entries, func(e, f Expense) int { return f.Day - e.Day })
}

// entry is the one of an ID, or nil.
func (a *Expenses) entry(id int) *Expense {
	for i := range a.Entries {
		if a.Entries[i].ID == id {
			return &a.Entries[i]
		}
	}
	return nil
}

// named is the first entry of a name, or nil.
func (a *Expenses) named(name string) *Expense {
	for i := range a.Entries {
		if a.Entries[i].Name == name {
			return &a.Entries[i]
		}
	}
	return nil
}

// has says whether there is an entry of a name.
func (a *Expenses) has(name string) bool { return a.named(name) != nil }

func (a *Expenses) remove(id int) {
	a.Entries = slices.DeleteFunc(a.Entries, func(e Expense) bool { return e.ID == id })
}

// listed says whether the list shows an entry.
func (a *Expenses) listed(e *Expense) bool {
	return (a.Filter == "" || a.Filter == e.Category) && hasFold(e.Name, a.Search)
}

// total is what was spent on a category in a month.
func (a *Expenses) total(category string, month int) (cents int) {
	for i := range a.Entries {
		if e := &a.Entries[i]; e.Category == category && monthOf(e.Day) == month {
			cents += e.Cents
		}
	}
	return cents
}

// ready says whether what was typed is an amount.
func (a *Expenses) ready() bool {
	if !a.Typed {
		return a.Draft.Cents > 0
	}
	cents, ok := parseCents(a.Amount)
	return ok && cents > 0
}
