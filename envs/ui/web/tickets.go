package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// ticketsPage is a list of requests that people work on; a button says that one is done.
type ticketsPage struct {
	Form
	Tickets []ticket
	Staff   []string
	Closed  bool `ui:"view"` // the closed ones are listed
	Open    int  `ui:"view"` // the ticket that is shown from 1, 0 for none
	Naming  bool `ui:"view"` // the list of people is open
}

// ticket is one request.
type ticket struct {
	Title, Reporter string
	Urgent          bool
	Closed          bool
	Assigned        string // "nobody", or one of the staff
}

// nobody is who a ticket is assigned to at first.
const nobody = "nobody"

// faults are what tickets are about.
var faults = []string{"Printer is jammed", "Door won't close", "Screen flickers", "No hot water", "Lamp is broken", "Mouse is gone",
	"Window leaks", "Chair squeaks", "Phone is silent", "Heater hums", "Key is bent", "Sink is blocked"}

func (s *ticketsPage) fill(r *envs.Rand) {
	*s = ticketsPage{Staff: append([]string{nobody}, ui.Draw(r, people, 4)...)}
	reporters := ui.Draw(r, surnames, 3)
	for i, title := range ui.Draw(r, faults, 9) {
		t := ticket{Title: title, Reporter: reporters[i%3], Urgent: r.Intn(3) == 0, Closed: i > 6, Assigned: nobody}
		if r.Intn(2) == 0 {
			t.Assigned = ui.Pick(r, s.Staff[1:])
		}
		s.Tickets = append(s.Tickets, t)
	}
	r.Shuffle(len(s.Tickets), func(i, k int) { s.Tickets[i], s.Tickets[k] = s.Tickets[k], s.Tickets[i] })
}

// App implements ui.Sim.
func (s *ticketsPage) App() string { return "tickets" }

// View implements ui.Sim.
func (s *ticketsPage) View(b *ui.Builder) {
	if within(s.Open-1, len(s.Tickets)) {
		s.viewTicket(b, &s.Tickets[s.Open-1])
		return
	}
	b.Heading("Tickets")
	b.Row(3)
	b.Tab("closed", 0, "Open", !s.Closed)
	b.Tab("closed", 1, "Closed", s.Closed)
	b.Button("submit", 0, "Done")
	b.Scroll("tickets", 0)
	for i := range s.Tickets {
		t := &s.Tickets[i]
		if t.Closed != s.Closed {
			continue
		}
		urgent := ""
		if t.Urgent {
			urgent = ", urgent"
		}
		b.Item("ticket", i, t.Title, b.Cat("by ", t.Reporter, ", for ", t.Assigned, urgent))
	}
	b.End()
}

func (s *ticketsPage) viewTicket(b *ui.Builder, t *ticket) {
	b.Heading(t.Title)
	b.Label(b.Cat("Reported by ", t.Reporter))
	b.Select("assign", 0, "Assigned to", t.Assigned)
	b.Switch("urgent", 0, "Urgent", t.Urgent)
	if t.Closed {
		b.Button("close", 0, "Open it again")
	} else {
		b.Button("close", 0, "Close the ticket")
	}
	b.Link("list", 0, "All tickets")
	if s.Naming {
		viewOptions(b, "Assigned to", s.Staff, t.Assigned)
	}
}

// Update implements ui.Sim.
func (s *ticketsPage) Update(e ui.Event) {
	if !within(s.Open-1, len(s.Tickets)) {
		s.Open, s.Naming = 0, false
		switch {
		case e.Is(ui.Click, "ticket"):
			s.Open = e.Key + 1
		case e.Is(ui.Click, "closed"):
			s.Closed = e.Key == 1
		}
		s.submits(e)
		return
	}
	t := &s.Tickets[s.Open-1]
	switch {
	case s.Naming:
		if e.Is(ui.Click, "option") && within(e.Key, len(s.Staff)) {
			t.Assigned, s.Naming = s.Staff[e.Key], false
		}
		s.Naming = s.Naming && e.Kind != ui.Back
	case e.Kind == ui.Back, e.Is(ui.Click, "list"):
		s.Open = 0
	case e.Is(ui.Click, "assign"):
		s.Naming = true
	case e.Is(ui.Click, "urgent"):
		t.Urgent = !t.Urgent
	case e.Is(ui.Click, "close"):
		t.Closed = !t.Closed
	}
}

// wantedTickets is how the tickets have to be.
type wantedTickets struct{ Tickets []ticket }

// start makes what is wanted what the page has; the caller changes it.
func (j *wantedTickets) start(s *ticketsPage) {
	j.Tickets = append([]ticket(nil), s.Tickets...)
}

// Want implements ui.Wanter.
func (j *wantedTickets) Want(s *ticketsPage) { s.Tickets, s.Submitted = j.Tickets, true }

// Solve implements ui.Job.
func (j *wantedTickets) Solve(s *ticketsPage, x *ui.Pilot) {
	n := min(len(s.Tickets), len(j.Tickets))
	if within(s.Open-1, n) {
		switch t, want := &s.Tickets[s.Open-1], &j.Tickets[s.Open-1]; {
		case s.Naming && t.Assigned == want.Assigned:
			x.Back()
		case s.Naming:
			tapOption(x, s.Staff, want.Assigned)
		case t.Assigned != want.Assigned:
			x.Tap("assign", 0)
		case t.Urgent != want.Urgent:
			x.Tap("urgent", 0)
		case t.Closed != want.Closed:
			x.Tap("close", 0)
		}
		x.Tap("list", 0)
		return
	}
	for i := range n {
		if s.Tickets[i] != j.Tickets[i] {
			x.Tap("ticket", i)
			if s.Closed {
				x.Tap("closed", 0)
			}
			x.Tap("closed", 1)
		}
	}
	x.Tap("submit", 0)
}
