package phone

import "marlpit/envs/ui"

var _ = add[reopenTodo](ui.Template{
	Name: "tasks-reopen", Summary: "reopen a completed task and raise its priority", Apps: []string{"tasks"},
	Kind: ui.Edit, Level: 2, MaxTurns: 20, HeldOut: true,
})

// reopenTodo asks for a completed task to be open again, with another priority.
type reopenTodo struct {
	Title, Priority string
	mended
}

// Setup implements ui.Job.
func (a *reopenTodo) Setup(p *Phone, t *ui.Task) {
	todo := p.Tasks.some(t, true)
	a.Title = todo.Title
	a.Priority = fresh(t, priorities, func(s string) bool { return s == todo.Priority })
	t.Say("The task \""+a.Title+"\" isn't completed after all: put it back to do, with priority "+a.Priority+".",
		"Uncheck \""+a.Title+"\" among the completed tasks and change its priority to "+a.Priority+".")
	t.Offer(a.Title, a.Priority)
}

// Want implements ui.Wanter.
func (a *reopenTodo) Want(p *Phone) {
	todo := p.Tasks.titled(a.Title)
	todo.Done, todo.Priority = false, a.Priority
}
