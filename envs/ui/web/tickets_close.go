package web

import "marlpit/envs/ui"

var _ = add[ticketsPage, ticketsClose](ui.Template{
	Name: "tickets-close", Summary: "close all tickets of one reporter", Apps: []string{"tickets"},
	Kind: ui.Several, Level: 3, MaxTurns: 22,
})

// ticketsClose asks to close what one person has reported.
type ticketsClose struct{ wantedTickets }

// Setup implements ui.Job.
func (j *ticketsClose) Setup(s *ticketsPage, t *ui.Task) {
	j.start(s)
	reporter := ui.Pick(t.Rand, s.Tickets).Reporter
	for i := range j.Tickets {
		j.Tickets[i].Closed = j.Tickets[i].Closed || j.Tickets[i].Reporter == reporter
	}
	t.Say("Close every ticket that "+reporter+" has reported, then press Done.",
		"What "+reporter+" reported has all been repaired: close those tickets, and press Done.")
}
