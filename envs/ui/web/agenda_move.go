package web

import "marlpit/envs/ui"

var _ = add[agendaPage, agendaMove](ui.Template{
	Name: "agenda-move", Summary: "move an appointment to another day and time", Apps: []string{"agenda"},
	Kind: ui.Edit, Level: 2, MaxTurns: 20,
})

// agendaMove asks for a new day and time.
type agendaMove struct{ wantedDate }

// Setup implements ui.Job.
func (j *agendaMove) Setup(s *agendaPage, t *ui.Task) {
	j.Date = ui.Pick(t.Rand, s.Dates)
	j.Date.Day = (j.Date.Day + 1 + t.Rand.Intn(agendaDays-1)) % agendaDays
	j.Date.Start += 30 * (1 + t.Rand.Intn(4))
	day, time := ui.Date(s.Monday+j.Date.Day), ui.Clock(j.Date.Start)
	t.Say("Move the appointment "+quoted(j.Date.Title)+" to "+day+", "+time+".", quoted(j.Date.Title)+" is to be on "+day+" at "+time+": change it in my week.",
		"Change "+quoted(j.Date.Title)+": new day "+day+", new time "+time+".")
}
