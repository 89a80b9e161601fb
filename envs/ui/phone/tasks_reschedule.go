package phone

import "marlpit/envs/ui"

var _ = add[reschedule](ui.Template{
	Name: "tasks-reschedule", Summary: "move a task to another day", Apps: []string{"tasks"},
	Kind: ui.Edit, Level: 2, MaxTurns: 18,
})

// reschedule asks for another day.
type reschedule struct {
	Title string
	Due   int
	mended
}

// Setup implements ui.Job.
func (a *reschedule) Setup(p *Phone, t *ui.Task) {
	todo := p.Tasks.some(t, false)
	a.Title, a.Due = todo.Title, todo.Due+1+t.Rand.Intn(14)
	for a.Due >= ui.DaysInYear {
		a.Due -= 30
	}
	day := ui.Date(a.Due)
	t.Say("Move the task \""+a.Title+"\" to "+day+".",
		"I can't manage it in time: let \""+a.Title+"\" be due "+day+" instead.",
		"Change the due date of \""+a.Title+"\" to "+day+".")
	t.Offer(a.Title, day, ui.Date(todo.Due))
}

// Want implements ui.Wanter.
func (a *reschedule) Want(p *Phone) { p.Tasks.titled(a.Title).Due = a.Due }
