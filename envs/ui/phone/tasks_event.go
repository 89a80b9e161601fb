package phone

import "marlpit/envs/ui"

var _ = add[prepare](ui.Template{
	Name: "tasks-event", Summary: "add a task due the day before an event", Apps: []string{"tasks", "calendar"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 34, HeldOut: true,
})

// prepare asks for a task due the day before an event.
type prepare struct {
	Event, Title string
}

// Setup implements ui.Job.
func (a *prepare) Setup(p *Phone, t *ui.Task) {
	a.Event = ui.Pick(t.Rand, p.Calendar.Events).Title
	e := p.Calendar.titled(a.Event)
	e.Day = p.Today + 3 + t.Rand.Intn(18)
	e.Weekly = false
	p.Calendar.sort()
	a.Title = fresh(t, []string{"Find the papers", "Buy a present", "Charge the camera", "Iron a shirt", "Print the form"}, p.Tasks.has)
	t.Say("Add the task \""+a.Title+"\" to the list Errands. It should be due the day before the event \""+a.Event+"\" in my calendar.",
		"Before \""+a.Event+"\" I have to do this: "+a.Title+". Make it a task on the list Errands, due one day before the event.")
	day := p.Calendar.titled(a.Event).Day
	t.Offer(a.Title, a.Event, ui.Date(day-1), ui.Date(day))
}

// Want implements ui.Wanter.
func (a *prepare) Want(p *Phone) {
	p.Tasks.put(Todo{Title: a.Title, List: "Errands", Priority: priorities[0], Due: p.Calendar.titled(a.Event).Day - 1})
}

// Solve implements ui.Job.
func (a *prepare) Solve(p *Phone, x *ui.Pilot) {
	started := p.Tasks.has(a.Title) || p.Calendar.shows(a.Event)
	if started || !repaired(p, x, &p.Calendar) || !p.Calendar.look(p, x, a.Event) {
		finish(p, x)
	}
}
