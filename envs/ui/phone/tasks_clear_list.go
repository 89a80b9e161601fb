package phone

import "marlpit/envs/ui"

var _ = add[clearList](ui.Template{
	Name: "tasks-clear-list", Summary: "delete the completed tasks of one list", Apps: []string{"tasks"},
	Kind: ui.Several, Level: 3, MaxTurns: 24,
})

// clearList asks for the completed tasks of one list to be deleted, where those of others stay.
type clearList struct {
	List string
	mended
}

// Setup implements ui.Job.
func (a *clearList) Setup(p *Phone, t *ui.Task) {
	a.List = ui.Pick(t.Rand, todoLists)
	n := 0
	for i := range p.Tasks.Items {
		if todo := &p.Tasks.Items[i]; todo.Done {
			if todo.List = a.List; n >= 2 { // two of this list, the others of others
				todo.List = fresh(t, todoLists, func(s string) bool { return s == a.List })
			}
			n++
		}
	}
	p.Tasks.some(t, false).Done = true
	t.Say("Delete all completed tasks of the list "+a.List+", and no others.",
		"On the list "+a.List+", throw away what is completed. Keep everything else.")
	t.Offer(a.List, ui.Pick(t.Rand, todoLists))
}

// Want implements ui.Wanter.
func (a *clearList) Want(p *Phone) {
	for i := len(p.Tasks.Items) - 1; i >= 0; i-- {
		if todo := p.Tasks.Items[i]; todo.Done && todo.List == a.List {
			p.Tasks.remove(todo.ID)
		}
	}
}
