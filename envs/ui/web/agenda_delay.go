package web

import "marlpit/envs/ui"

var _ = add[agendaPage, agendaDelay](ui.Template{
	Name: "agenda-delay", Summary: "start an appointment earlier or later on its day", Apps: []string{"agenda"},
	Kind: ui.Edit, Level: 2, MaxTurns: 14, HeldOut: true,
})

// agendaDelay asks for a change of the time by some minutes.
type agendaDelay struct{ wantedDate }

// Setup implements ui.Job.
func (j *agendaDelay) Setup(s *agendaPage, t *ui.Task) {
	j.Date = ui.Pick(t.Rand, s.Dates)
	by := 1 + t.Rand.Intn(4)
	minutes := [...]string{"30", "60", "90", "120"}[by-1] + " minutes "
	how := "earlier"
	if j.Date.Start -= 30 * by; t.Rand.Intn(2) == 0 {
		how = "later"
		j.Date.Start += 60 * by
	}
	t.Say("Let "+quoted(j.Date.Title)+" start "+minutes+how+", on the same day.",
		"Change my week: "+quoted(j.Date.Title)+" begins "+minutes+how+" than it says.")
}
