package phone

import "marlpit/envs/ui"

var _ = add[clearDone](ui.Template{
	Name: "tasks-clear", Summary: "complete a task, then delete all that are completed", Apps: []string{"tasks"},
	Kind: ui.Delete, Level: 2, MaxTurns: 18, HeldOut: true,
})

// clearDone asks for one more task to be completed, and all completed ones to go.
type clearDone struct {
	Title string
	mended
}

// Setup implements ui.Job.
func (a *clearDone) Setup(p *Phone, t *ui.Task) {
	a.Title = p.Tasks.some(t, false).Title
	t.Say("\""+a.Title+"\" is done. Delete it together with all completed tasks.",
		"Clear all completed tasks, and \""+a.Title+"\" as well, which I have just finished.")
	t.Offer(a.Title, p.Tasks.some(t, false).Title)
}

// Want implements ui.Wanter.
func (a *clearDone) Want(p *Phone) {
	for i := len(p.Tasks.Items) - 1; i >= 0; i-- {
		if todo := p.Tasks.Items[i]; todo.Done || todo.Title == a.Title {
			p.Tasks.remove(todo.ID)
		}
	}
}
