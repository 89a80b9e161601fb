package phone

import "marlpit/envs/ui"

func (t Todo) key() int { return t.ID }

func (t Todo) plain() Todo { t.ID = 0; return t }

// toward implements mender.
func (a *Tasks) toward(p, want *Phone, x *ui.Pilot) bool {
	wrong, right := repair(a.Items, want.Tasks.Items)
	switch {
	case wrong == nil && right == nil:
		return false
	case p.Shown != "tasks":
		x.Open("tasks")
	case right == nil && cleared(a, &want.Tasks):
		a.solveClear(x)
	case right == nil:
		a.solveDelete(x, wrong)
	case wrong == nil:
		a.solveEdit(x, 0, right)
	case onlyDone(*wrong, *right):
		a.solveDone(x, wrong)
	default:
		a.solveEdit(x, wrong.ID, right)
	}
	return true
}

func onlyDone(a, b Todo) bool { a.Done = b.Done; return a.plain() == b.plain() }

// cleared says whether deleting all that is done, of which there are several, is a step towards want.
func cleared(a, want *Tasks) bool {
	n := 0
	for i := range a.Items {
		if t := a.Items[i]; t.Done {
			n++
			if copies(want.Items, t) > 0 {
				return false
			}
		}
	}
	return n > 1
}

func (a *Tasks) solveClear(x *ui.Pilot) {
	switch {
	case a.Screen == "clear":
		x.Tap("sure", 0)
	case a.Screen != "":
		x.Back()
	case !a.Done:
		x.Tap("tab", 1)
	default:
		x.Tap("clear", 0)
	}
}

// list leads to the list with an item in it.
func (a *Tasks) list(x *ui.Pilot, t *Todo) bool {
	switch {
	case a.Screen != "":
		x.Back()
	case a.Done != t.Done:
		if t.Done {
			x.Tap("tab", 1)
		} else {
			x.Tap("tab", 0)
		}
	case !a.listed(t):
		x.Back() // forgets what is searched for
	default:
		return true
	}
	return false
}

// show leads to the screen of an item.
func (a *Tasks) show(x *ui.Pilot, t *Todo) bool {
	if a.Screen == "show" && a.Open == t.ID {
		return true
	}
	if a.list(x, t) {
		x.Tap("item", t.ID)
	}
	return false
}

func (a *Tasks) solveDone(x *ui.Pilot, t *Todo) {
	if a.Open == t.ID && a.Screen == "menu" || a.show(x, t) {
		x.Tap("done", 0)
	}
}

func (a *Tasks) solveDelete(x *ui.Pilot, t *Todo) {
	switch {
	case a.Open == t.ID && a.Screen == "delete":
		x.Tap("sure", 0)
	case a.Open == t.ID && (a.Screen == "menu" || a.Screen == "show"):
		x.Tap("delete", 0)
	case a.list(x, t):
		x.Hold("item", t.ID)
	}
}

// solveEdit makes the item of an ID, or a new one for 0, what is wanted.
func (a *Tasks) solveEdit(x *ui.Pilot, id int, want *Todo) {
	t, d := a.item(id), &a.Draft
	switch {
	case a.Screen == "edit" && (id != a.Open || a.item(a.Open) == nil != (t == nil)):
		x.Back()
	case a.Screen != "edit" && t == nil:
		if a.Screen == "" {
			x.Tap("new", 0)
		}
	case a.Screen != "edit":
		if a.Open == id && a.Screen == "menu" || a.show(x, t) {
			x.Tap("edit", 0)
		}
	case a.Pick == "list":
		x.Tap("in", index(todoLists, want.List))
	case a.Pick == "priority":
		x.Tap("of", index(priorities, want.Priority))
	case a.Pick == "due" && want.Due >= 0:
		solveDay(x, a.Month, want.Due)
	case a.Pick != "":
		x.Back()
	case d.Title != want.Title:
		x.Type("title", 0, want.Title)
	case d.Note != want.Note:
		x.Type("note", 0, want.Note)
	case d.List != want.List:
		x.Tap("list", 0)
	case d.Priority != want.Priority:
		x.Tap("priority", 0)
	case d.Due != want.Due && want.Due < 0:
		x.Tap("undue", 0)
	case d.Due != want.Due:
		x.Tap("due", 0)
	default:
		x.Tap("save", 0)
	}
}
