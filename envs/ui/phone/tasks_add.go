package phone

import "marlpit/envs/ui"

var _ = add[addTodo](ui.Template{
	Name: "tasks-add", Summary: "add a task of a priority", Apps: []string{"tasks"},
	Kind: ui.Create, Level: 1, MaxTurns: 16,
})

// addTodo asks for a new task.
type addTodo struct {
	Title, Priority string
	mended
}

// Setup implements ui.Job.
func (a *addTodo) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, todoTitles, p.Tasks.has)
	a.Priority = ui.Pick(t.Rand, priorities[1:])
	t.Say("Add a task \""+a.Title+"\" with "+a.Priority+" priority.",
		"Put \""+a.Title+"\" on my list of things to do; its priority is "+a.Priority+".",
		"I must not forget this: "+a.Title+". Make it a task with priority "+a.Priority+".")
	t.Offer(a.Title, p.Tasks.Items[0].Title, p.Tasks.Items[1].Title)
}

// Want implements ui.Wanter.
func (a *addTodo) Want(p *Phone) {
	p.Tasks.put(Todo{Title: a.Title, List: todoLists[0], Priority: a.Priority, Due: -1})
}
