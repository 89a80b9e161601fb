package phone

import "marlpit/envs/ui"

var _ = add[completeTodo](ui.Template{
	Name: "tasks-complete", Summary: "mark a task completed", Apps: []string{"tasks"},
	Kind: ui.Edit, Level: 1, MaxTurns: 10,
})

// completeTodo asks for a task to be ticked off.
type completeTodo struct {
	Title string
	mended
}

// Setup implements ui.Job.
func (a *completeTodo) Setup(p *Phone, t *ui.Task) {
	a.Title = p.Tasks.some(t, false).Title
	t.Say("Mark the task \""+a.Title+"\" as completed.",
		"I have done this: "+a.Title+". Tick it off in my tasks.")
	t.Offer(a.Title, p.Tasks.some(t, true).Title)
}

// Want implements ui.Wanter.
func (a *completeTodo) Want(p *Phone) { p.Tasks.titled(a.Title).Done = true }

// some is any item that is done, or isn't.
func (a *Tasks) some(t *ui.Task, done bool) *Todo {
	for {
		if i := t.Rand.Intn(len(a.Items)); a.Items[i].Done == done {
			return &a.Items[i]
		}
	}
}
