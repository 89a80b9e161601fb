package web

import "marlpit/envs/ui"

var _ = add[ticketsPage, ticketsAssign](ui.Template{
	Name: "tickets-assign", Summary: "assign a ticket to somebody and set whether it is urgent", Apps: []string{"tickets"},
	Kind: ui.Edit, Level: 2, MaxTurns: 14,
})

// ticketsAssign asks for changes of one open ticket.
type ticketsAssign struct{ wantedTickets }

// Setup implements ui.Job.
func (j *ticketsAssign) Setup(s *ticketsPage, t *ui.Task) {
	j.start(s)
	var open []int
	for i := range s.Tickets {
		if !s.Tickets[i].Closed {
			open = append(open, i)
		}
	}
	ticket := &j.Tickets[ui.Pick(t.Rand, open)]
	ticket.Assigned = drawOther(t.Rand, s.Staff[1:], []string{ticket.Assigned}, 1)[0]
	ticket.Urgent = !ticket.Urgent
	urgent := "urgent"
	if !ticket.Urgent {
		urgent = "not urgent any more"
	}
	t.Say("Assign the ticket "+quoted(ticket.Title)+" to "+ticket.Assigned+" and mark it as "+urgent+", then press Done.",
		ticket.Assigned+" takes over "+quoted(ticket.Title)+", which is "+urgent+". Put that into the ticket and press Done.")
}
