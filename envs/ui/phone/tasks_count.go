package phone

import "marlpit/envs/ui"

var _ = add[countTodos](ui.Template{
	Name: "tasks-count", Summary: "count the open tasks of a list that have a priority", Apps: []string{"tasks"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true, HeldOut: true,
})

// countTodos asks how many tasks of a priority a list has.
type countTodos struct {
	List, Priority string
	N              int
}

// Setup implements ui.Job.
func (a *countTodos) Setup(p *Phone, t *ui.Task) {
	a.List, a.Priority = ui.Pick(t.Rand, todoLists), ui.Pick(t.Rand, priorities[1:])
	for range 2 {
		todo := p.Tasks.some(t, false)
		todo.List, todo.Priority = a.List, a.Priority
	}
	a.N = 0
	for i := range p.Tasks.Items {
		if todo := &p.Tasks.Items[i]; !todo.Done && todo.List == a.List && todo.Priority == a.Priority {
			a.N++
		}
	}
	t.Say("How many tasks with priority "+a.Priority+" are still to do on the list "+a.List+"? Answer with the number.",
		"Count the tasks of the list "+a.List+" that aren't completed and have "+a.Priority+" priority.")
	t.Answer("number", counts[a.N])
	t.Offer(counts[1:7]...)
}

// counts are small numbers in words that can be typed.
var counts = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"}

// Solve implements ui.Job.
func (a *countTodos) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Tasks
	switch {
	case mend(p, x):
	case x.Answered() == counts[a.N]:
		x.Complete()
	case p.Shown != "tasks":
		x.Open("tasks")
	case k.Screen == "filter":
		x.Tap("in", index(listsOrAll, a.List))
	case k.Screen != "" || k.Done || k.Search != "":
		x.Back()
	case k.Filter != a.List:
		x.Tap("filter", 0)
	default:
		x.Answer(counts[a.N])
	}
}
