package phone

import "marlpit/envs/ui"

var _ = add[missingEvent](ui.Template{
	Name: "calendar-missing", Summary: "delete an event that isn't there", Apps: []string{"calendar"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 10, Easy: true,
})

// missingEvent asks for an event to be deleted that doesn't exist.
type missingEvent struct{ Title string }

// Setup implements ui.Job.
func (a *missingEvent) Setup(p *Phone, t *ui.Task) {
	a.Title = fresh(t, eventTitles, p.Calendar.has)
	t.Say("Delete the event \""+a.Title+"\" from the calendar.", "\""+a.Title+"\" is in my calendar, but it is cancelled. Remove it.")
	t.Offer(a.Title, p.Calendar.Events[0].Title)
	t.Infeasible = true
}

// Solve implements ui.Job.
func (a *missingEvent) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Calendar
	switch {
	case mend(p, x), away(p, x, "calendar"):
	case c.Screen == "agenda" && c.Search == a.Title:
		x.Infeasible()
	case c.Screen == "agenda":
		x.Type("search", 0, a.Title)
	case c.Screen == "":
		x.Tap("agenda", 0)
	default:
		x.Back()
	}
}
