package phone

import "marlpit/envs/ui"

var _ = add[findNext](ui.Template{
	Name: "calendar-next", Summary: "tell the first event after a day, and its place", Apps: []string{"calendar"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// findNext asks what comes after a day.
type findNext struct{ Title, Answer string }

// Setup implements ui.Job.
func (a *findNext) Setup(p *Phone, t *ui.Task) {
	c := &p.Calendar
	for i := range c.Events {
		c.Events[i].Day = p.Today + 2*i + t.Rand.Intn(2) // no two on one day
	}
	k := 1 + t.Rand.Intn(len(c.Events)-1)
	e, day := &c.Events[k], ui.Date(c.Events[k-1].Day)
	a.Title, a.Answer = e.Title, e.Title+", "+e.Place
	t.Say("What is my first event after "+day+", and where is it? Answer with title, place.",
		"Of the events later than "+day+", tell me title and place of the first, with a comma between.")
	t.Answer("title", e.Title)
	t.Answer("place", e.Place)
	for i := max(0, k-3); i < min(len(c.Events), k+3); i++ {
		t.Offer(c.Events[i].Title + ", " + c.Events[i].Place)
	}
	t.Offer(day)
}

// Solve implements ui.Job.
func (a *findNext) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case !p.Calendar.look(p, x, a.Title):
		x.Answer(a.Answer)
	}
}
