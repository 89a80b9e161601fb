package web

import (
	"marlpit/envs/ui"
)

// trip is the search that finds a flight, and the flight.
type trip struct {
	From, To string
	Day      int // from 1
	Flight   int // from 1, 0 for none
}

// draw draws a trip that has flights, finds the best of them, and offers the towns.
func (j *trip) draw(s *flightsPage, t *ui.Task, better func(a, b *flight) bool) {
	some := ui.Pick(t.Rand, s.Flights)
	j.From, j.To, j.Day, j.Flight = some.From, some.To, some.Day+1, 0
	for i := range s.Flights {
		f := &s.Flights[i]
		if f.From == j.From && f.To == j.To && f.Day+1 == j.Day && (j.Flight == 0 || better(f, &s.Flights[j.Flight-1])) {
			j.Flight = i + 1
		}
	}
	t.Offer(j.From, j.To)
	t.Offer(drawOther(t.Rand, cities, t.Texts, 2)...)
}

// day is the trip's day in words.
func (j *trip) day(s *flightsPage) string { return ui.Date(s.First + j.Day - 1) }

// Want implements ui.Wanter.
func (j *trip) Want(s *flightsPage) { s.Booked = j.Flight }

// Solve implements ui.Job.
func (j *trip) Solve(s *flightsPage, x *ui.Pilot) {
	if s.Open == j.Flight && j.Flight > 0 {
		x.Tap("book", 0)
	}
	if j.find(s, x) {
		x.Tap("flight", j.Flight-1)
	}
}

// find gets to the list of flights, and says whether it is shown.
func (j *trip) find(s *flightsPage, x *ui.Pilot) bool {
	right := s.From == j.From && s.To == j.To && s.Day == j.Day
	switch {
	case s.Open != 0:
		x.Tap("list", 0)
	case s.Listed && !right:
		x.Tap("form", 0)
	case s.Listed:
		return true
	case s.Choosing && s.Day == j.Day:
		x.Back()
	case s.Choosing:
		x.Tap("option", j.Day-1)
	case s.From != j.From:
		x.Type("from", 0, j.From)
	case s.To != j.To:
		x.Type("to", 0, j.To)
	case s.Day != j.Day:
		x.Tap("day", 0)
	}
	x.Tap("find", 0)
	return false
}
