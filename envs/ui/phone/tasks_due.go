package phone

import "marlpit/envs/ui"

var _ = add[dueTodo](ui.Template{
	Name: "tasks-due", Summary: "say when a task is due and on which list it is", Apps: []string{"tasks"},
	Kind: ui.Find, Level: 1, MaxTurns: 12, Easy: true,
})

// dueTodo asks for the day and the list of a task.
type dueTodo struct{ ID int }

// Setup implements ui.Job.
func (a *dueTodo) Setup(p *Phone, t *ui.Task) {
	todo := p.Tasks.some(t, false)
	a.ID = todo.ID
	t.Say("When is the task \""+todo.Title+"\" due, and on which list is it? Answer with due and list.",
		"Tell me the due date and the list of \""+todo.Title+"\", in this order.")
	t.Answer("due", ui.Date(todo.Due))
	t.Answer("list", todo.List)
	other := fresh(t, todoLists, func(s string) bool { return s == todo.List })
	t.Offer(todo.Title, a.words(p), ui.Date(todo.Due)+", "+other, ui.Date(todo.Due+1)+", "+todo.List, ui.Date(todo.Due-1)+", "+other)
}

func (a *dueTodo) words(p *Phone) string {
	todo := p.Tasks.item(a.ID)
	return ui.Date(todo.Due) + ", " + todo.List
}

// Solve implements ui.Job.
func (a *dueTodo) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Tasks
	switch todo := k.item(a.ID); {
	case mend(p, x):
	case x.Answered() == a.words(p):
		x.Complete()
	case p.Shown != "tasks":
		x.Open("tasks")
	case k.show(x, todo):
		x.Answer(a.words(p))
	}
}
