package web

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[agendaPage, agendaOff](ui.Template{
	Name: "agenda-off", Summary: "call the appointment of a day and time off", Apps: []string{"agenda"},
	Kind: ui.Delete, Level: 1, MaxTurns: 8, Easy: true,
})

// agendaOff asks to call one appointment off, by its time.
type agendaOff struct{ Title string }

// Setup implements ui.Job.
func (j *agendaOff) Setup(s *agendaPage, t *ui.Task) {
	a := ui.Pick(t.Rand, s.Dates)
	j.Title = a.Title
	t.Say("Call off what is on "+ui.Date(s.Monday+a.Day)+" at "+ui.Clock(a.Start)+".",
		"I can't come on "+ui.Date(s.Monday+a.Day)+" at "+ui.Clock(a.Start)+": call that appointment off.")
}

// Want implements ui.Wanter.
func (j *agendaOff) Want(s *agendaPage) {
	at := s.at(j.Title)
	s.Dates = slices.Delete(s.Dates, at, at+1)
}

// Solve implements ui.Job.
func (j *agendaOff) Solve(s *agendaPage, x *ui.Pilot) {
	if s.open(x, j.Title) {
		x.Tap("off", 0)
	}
}
