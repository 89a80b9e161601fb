package phone

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// Tasks is the app of things to do.
type Tasks struct {
	Items []Todo `ui:"set"`
	Next  int    `ui:"id"` // the next item's ID

	Screen string `ui:"view"` // "" the list, "show", "edit", and over them "menu", "delete", "clear", "filter"
	Open   int    `ui:"view"` // ID of the item shown, 0 for a new one
	Done   bool   `ui:"view"` // the list shows what is done
	Filter string `ui:"view"` // the list shows this list only; "" for all
	Search string `ui:"view"`
	Draft  Todo   `ui:"view"`
	Pick   string `ui:"view"` // what is being chosen for the draft: "list", "priority", "due" or ""
	Month  int    `ui:"view"` // of the choice of days
}

// Todo is one thing to do.
type Todo struct {
	ID       int `ui:"id"`
	Title    string
	Note     string
	List     string // one of todoLists
	Priority string // one of priorities
	Due      int    // a day, or -1
	Done     bool
}

var (
	todoLists  = []string{"Home", "Work", "Errands", "Travel"}
	listsOrAll = append([]string{"All lists"}, todoLists...)
	priorities = []string{"none", "low", "medium", "high"}
)

// todoTitles are what there may be to do.
var todoTitles = []string{"Water the plants", "Book the dentist", "Call the plumber", "Return library books", "Buy light bulbs",
	"Write the minutes", "Pay the rent", "Clean the windows", "Order printer paper", "Renew the passport", "Fix the bicycle",
	"Plan the team lunch", "Back up the laptop", "Sort the photos", "Pick up the parcel", "Check the smoke alarm",
	"Review the draft", "Update the price list", "Pack the tent", "Find a babysitter", "Descale the kettle", "Send the invoice",
	"Measure the shelves", "Bake a cake", "Sharpen the knives", "Cancel the old contract"}

func (a *Tasks) fill(p *Phone, r *envs.Rand) {
	*a = Tasks{Items: a.Items[:0], Next: 1}
	for i, title := range ui.Draw(r, todoTitles, 10+r.Intn(5)) {
		a.put(Todo{Title: title, List: ui.Pick(r, todoLists), Priority: ui.Pick(r, priorities), Due: p.Today + r.Intn(45), Done: i%4 == 3})
	}
}

func (a *Tasks) open() {
	*a = Tasks{Items: a.Items, Next: a.Next}
}

// put adds an item under an ID of its own, newest last.
func (a *Tasks) put(t Todo) {
	t.ID = a.Next
	a.Next++
	a.Items = append(a.Items, t)
}

// item is the one of an ID, or nil.
func (a *Tasks) item(id int) *Todo {
	for i := range a.Items {
		if a.Items[i].ID == id {
			return &a.Items[i]
		}
	}
	return nil
}

// has says whether there is an item of a title.
func (a *Tasks) has(title string) bool { return a.titled(title) != nil }

// titled is the first item of a title, or nil.
func (a *Tasks) titled(title string) *Todo {
	for i := range a.Items {
		if a.Items[i].Title == title {
			return &a.Items[i]
		}
	}
	return nil
}

// listed says whether the list shows an item.
func (a *Tasks) listed(t *Todo) bool {
	return t.Done == a.Done && (a.Filter == "" || a.Filter == t.List) && hasFold(t.Title, a.Search)
}

func (a *Tasks) remove(id int) {
	a.Items = slices.DeleteFunc(a.Items, func(t Todo) bool { return t.ID == id })
}

func (a *Tasks) update(p *Phone, e ui.Event) bool {
	t := a.item(a.Open)
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back(t)
	case a.Screen == "edit":
		a.edit(p, t, e)
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Click, "tab"):
		a.Done = e.Key == 1
	case e.Is(ui.Click, "filter"):
		a.Screen = "filter"
	case e.Is(ui.Click, "in"):
		if f, ok := chosen(e, "in", listsOrAll); ok {
			a.Filter, a.Screen = f, ""
			if e.Key == 0 {
				a.Filter = ""
			}
		}
	case e.Is(ui.Click, "new"):
		a.Screen, a.Open, a.Draft = "edit", 0, Todo{List: todoLists[0], Priority: priorities[0], Due: -1}
	case e.Is(ui.Click, "clear"):
		a.Screen = "clear"
	case e.Is(ui.Click, "sure") && a.Screen == "clear":
		a.Items = slices.DeleteFunc(a.Items, func(t Todo) bool { return t.Done })
		a.Screen = ""
	case e.Is(ui.Click, "item"):
		a.Screen, a.Open = "show", e.Key
	case e.Is(ui.Press, "item"):
		a.Screen, a.Open = "menu", e.Key
	case t == nil: // what follows is about the item shown
	case e.Is(ui.Click, "done"):
		t.Done = !t.Done
		if a.Screen == "menu" {
			a.Screen = ""
		}
	case e.Is(ui.Click, "edit"):
		a.Screen, a.Draft = "edit", *t
	case e.Is(ui.Click, "delete"):
		a.Screen = "delete"
	case e.Is(ui.Click, "sure"):
		a.remove(t.ID)
		a.Screen, a.Open = "", 0
	}
	return true
}

// back leaves what is uppermost.
func (a *Tasks) back(t *Todo) bool {
	switch {
	case a.Screen == "edit" && a.Pick != "":
		a.Pick = ""
	case a.Screen == "edit" && t != nil:
		a.Screen = "show"
	case a.Screen == "" && (a.Search != "" || a.Filter != "" || a.Done):
		a.open()
	case a.Screen == "":
		return false
	default:
		a.Screen = ""
	}
	return true
}

// edit handles the screen of the draft.
func (a *Tasks) edit(p *Phone, t *Todo, e ui.Event) {
	d := &a.Draft
	switch {
	case e.Is(ui.Input, "title"):
		d.Title = e.Text
	case e.Is(ui.Input, "note"):
		d.Note = e.Text
	case e.Is(ui.Click, "list"), e.Is(ui.Click, "priority"), e.Is(ui.Click, "due"):
		a.Pick, a.Month = e.On, monthOf(p.Today)
		if d.Due >= 0 {
			a.Month = monthOf(d.Due)
		}
	case e.Is(ui.Click, "undue"):
		d.Due = -1
	case e.Is(ui.Click, "save") && d.Title != "":
		if a.Screen = ""; t == nil {
			a.put(*d)
			return
		}
		d.ID, d.Done = t.ID, t.Done
		*t, a.Screen = *d, "show"
	}
	if l, ok := chosen(e, "in", todoLists); ok {
		d.List, a.Pick = l, ""
	}
	if p, ok := chosen(e, "of", priorities); ok {
		d.Priority, a.Pick = p, ""
	}
	if day := updateDays(e, &a.Month); day >= 0 {
		d.Due, a.Pick = day, ""
	}
}
