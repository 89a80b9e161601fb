package phone

import "marlpit/envs/ui"

var _ = add[deleteTodo](ui.Template{
	Name: "tasks-delete", Summary: "delete a task", Apps: []string{"tasks"},
	Kind: ui.Delete, Level: 1, MaxTurns: 12,
})

// deleteTodo asks for a task to be taken off the list.
type deleteTodo struct {
	Title string
	mended
}

// Setup implements ui.Job.
func (a *deleteTodo) Setup(p *Phone, t *ui.Task) {
	a.Title = p.Tasks.some(t, false).Title
	t.Say("Delete the task \""+a.Title+"\".",
		"I don't have to do this any more: "+a.Title+". Remove it from my tasks.")
	t.Offer(a.Title, p.Tasks.some(t, false).Title)
}

// Want implements ui.Wanter.
func (a *deleteTodo) Want(p *Phone) { p.Tasks.remove(p.Tasks.titled(a.Title).ID) }
