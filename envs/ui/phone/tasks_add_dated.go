package phone

import "marlpit/envs/ui"

var _ = add[addDated](ui.Template{
	Name: "tasks-add-dated", Summary: "add a task to a list, due on a day", Apps: []string{"tasks"},
	Kind: ui.Create, Level: 2, MaxTurns: 22,
})

// addDated asks for a new task with a list and a day.
type addDated struct {
	Title, List string
	Due         int
	mended
}

// Setup implements ui.Job.
func (a *addDated) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, todoTitles, p.Tasks.has)
	a.List = ui.Pick(t.Rand, todoLists[1:])
	a.Due = p.Today + 1 + t.Rand.Intn(40)
	day := ui.Date(a.Due)
	t.Say("Add the task \""+a.Title+"\" to the list "+a.List+", due "+day+".",
		"By "+day+" I have to do this: "+a.Title+". Put it on the list "+a.List+".",
		"New task on my list "+a.List+": \""+a.Title+"\", for "+day+".")
	t.Offer(a.Title, p.Tasks.Items[0].Title, a.List, day)
}

// Want implements ui.Wanter.
func (a *addDated) Want(p *Phone) {
	p.Tasks.put(Todo{Title: a.Title, List: a.List, Priority: priorities[0], Due: a.Due})
}
