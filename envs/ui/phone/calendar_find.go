package phone

import "marlpit/envs/ui"

var _ = add[findEvent](ui.Template{
	Name: "calendar-find", Summary: "tell when and where an event is", Apps: []string{"calendar"},
	Kind: ui.Find, Level: 1, MaxTurns: 10, Easy: true,
})

// findEvent asks for date, time and place of an event.
type findEvent struct{ Title, Answer string }

// Setup implements ui.Job.
func (a *findEvent) Setup(p *Phone, t *ui.Task) {
	four := ui.Draw(t.Rand, p.Calendar.Events, 4)
	e := four[0]
	a.Title = e.Title
	at := ui.Clock(e.Minute)
	a.Answer = ui.Date(e.Day) + ", " + at + ", " + e.Place
	t.Say("When and where is \""+a.Title+"\"? Answer with date, start, place, as the calendar writes them.",
		"Look \""+a.Title+"\" up in the calendar and tell me date, start and place, with commas between.")
	t.Answer("date", ui.Date(e.Day), ui.Date(e.Day)[4:])
	t.Answer("start", at)
	t.Answer("place", e.Place)
	for _, e := range four {
		t.Offer(ui.Date(e.Day) + ", " + ui.Clock(e.Minute) + ", " + e.Place)
	}
	t.Offer(a.Title)
}

// Solve implements ui.Job.
func (a *findEvent) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case !p.Calendar.look(p, x, a.Title):
		x.Answer(a.Answer)
	}
}
