package web

import "marlpit/envs/ui"

var _ = add[agendaPage, agendaFirst](ui.Template{
	Name: "agenda-first", Summary: "say what a day starts with, and when", Apps: []string{"agenda"},
	Kind: ui.Find, Level: 1, MaxTurns: 8, Easy: true,
})

// agendaFirst asks for the first appointment of a day.
type agendaFirst struct {
	Day    int
	Answer string
}

// Setup implements ui.Job.
func (j *agendaFirst) Setup(s *agendaPage, t *ui.Task) {
	first := s.Dates[0]
	j.Day = ui.Pick(t.Rand, s.Dates).Day
	for _, a := range s.Dates[:6] {
		t.Offer(a.Title + ", " + ui.Clock(a.Start))
	}
	for i := len(s.Dates) - 1; i >= 0; i-- { // they are sorted by time
		if s.Dates[i].Day == j.Day {
			first = s.Dates[i]
		}
	}
	j.Answer = first.Title + ", " + ui.Clock(first.Start)
	if s.at(first.Title) >= 6 {
		t.Offer(j.Answer)
	}
	t.Answer("title", first.Title)
	t.Answer("time", ui.Clock(first.Start))
	day := ui.Date(s.Monday + j.Day)
	t.Say("What is the first appointment on "+day+", and when? Answer with title, time.",
		"Look at "+day+" in my week, and answer with the title and the time of the earliest appointment.")
}

// Solve implements ui.Job.
func (j *agendaFirst) Solve(s *agendaPage, x *ui.Pilot) {
	switch {
	case x.Answered() == j.Answer:
		x.Complete()
	case s.Open != 0:
		x.Tap("cancel", 0)
	case s.Day == j.Day:
		x.Answer(j.Answer)
	}
	x.Tap("day", j.Day)
}
