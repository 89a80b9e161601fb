package web

import "marlpit/envs/ui"

var _ = add[ticketsPage, ticketsShare](ui.Template{
	Name: "tickets-share", Summary: "assign all open tickets that nobody has", Apps: []string{"tickets"},
	Kind: ui.Several, Level: 3, MaxTurns: 40, HeldOut: true,
})

// ticketsShare asks to assign the open tickets without an owner.
type ticketsShare struct{ wantedTickets }

// Setup implements ui.Job.
func (j *ticketsShare) Setup(s *ticketsPage, t *ui.Task) {
	free := 0
	for i := range s.Tickets {
		if tk := &s.Tickets[i]; !tk.Closed {
			if free == 4 && tk.Assigned == nobody {
				tk.Assigned = ui.Pick(t.Rand, s.Staff[1:])
			}
			if free == 0 {
				tk.Assigned = nobody
			}
			if tk.Assigned == nobody {
				free++
			}
		}
	}
	j.start(s)
	who := ui.Pick(t.Rand, s.Staff[1:])
	for i := range j.Tickets {
		if tk := &j.Tickets[i]; !tk.Closed && tk.Assigned == nobody {
			tk.Assigned = who
		}
	}
	t.Say("Assign all open tickets that are for nobody to "+who+", then press Done.",
		who+" takes whatever is still open and for nobody. Assign those tickets, and press Done.")
}
