package phone

import "marlpit/envs/ui"

var _ = add[overdue](ui.Template{
	Name: "tasks-overdue", Summary: "complete every open task that is due before a day", Apps: []string{"tasks"},
	Kind: ui.Several, Level: 3, MaxTurns: 30, HeldOut: true,
})

// overdue asks for all tasks due before a day to be ticked off.
type overdue struct {
	Before int
	mended
}

// Setup implements ui.Job.
func (a *overdue) Setup(p *Phone, t *ui.Task) {
	a.Before = p.Today + 2 + t.Rand.Intn(5)
	k := &p.Tasks
	for i := range k.Items {
		k.Items[i].Due = a.Before + t.Rand.Intn(30)
	}
	for range 2 + t.Rand.Intn(2) {
		k.some(t, false).Due = a.Before - 1 - t.Rand.Intn(6)
	}
	day := ui.Date(a.Before)
	t.Say("Mark every task completed that is due before "+day+".",
		"Whatever was to be done before "+day+" is done: tick all of it off, but nothing due on "+day+" or later.")
	t.Offer(day, ui.Date(a.Before-1))
}

// Want implements ui.Wanter.
func (a *overdue) Want(p *Phone) {
	for i := range p.Tasks.Items {
		if todo := &p.Tasks.Items[i]; todo.Due < a.Before {
			todo.Done = true
		}
	}
}
