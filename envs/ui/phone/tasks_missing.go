package phone

import "marlpit/envs/ui"

var _ = add[missingTodo](ui.Template{
	Name: "tasks-missing", Summary: "reschedule a task that isn't there", Apps: []string{"tasks"},
	Kind: ui.Infeasible, Level: 1, MaxTurns: 8, Easy: true,
})

// missingTodo asks for a task to be moved that doesn't exist.
type missingTodo struct{ Title string }

// Setup implements ui.Job.
func (a *missingTodo) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, todoTitles, p.Tasks.has)
	day := ui.Date(p.Today + 1 + t.Rand.Intn(20))
	t.Say("Move the existing task \""+a.Title+"\" to "+day+".",
		"My task \""+a.Title+"\" should be due "+day+". Change its date, don't add another.")
	t.Offer(a.Title, day)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingTodo) Solve(p *Phone, x *ui.Pilot) {
	k := &p.Tasks
	switch {
	case mend(p, x):
	case p.Shown != "tasks":
		x.Open("tasks")
	case k.Screen != "" || k.Done || k.Filter != "":
		x.Back()
	case k.Search != a.Title:
		x.Type("search", 0, a.Title)
	default:
		x.Infeasible()
	}
}
