package web

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[hotelsPage, hotelsCount](ui.Template{
	Name: "hotels-count", Summary: "count the hotels of a town that serve breakfast", Apps: []string{"hotels"},
	Kind: ui.Find, Level: 2, MaxTurns: 14, Easy: true,
})

// hotelsCount asks for a number of hotels.
type hotelsCount struct{ Town, Count string }

// Setup implements ui.Job.
func (j *hotelsCount) Setup(s *hotelsPage, t *ui.Task) {
	j.Town = ui.Pick(t.Rand, s.Towns)
	n := 0
	for _, h := range s.Hotels {
		if h.Town == j.Town && h.Breakfast {
			n++
		}
	}
	j.Count = strconv.Itoa(n)
	t.Answer("count", j.Count)
	for k := range 6 {
		t.Offer(strconv.Itoa(k))
	}
	t.Say("How many hotels in "+j.Town+" serve breakfast? Answer with the number, and book nothing.",
		"Use the filters to count the hotels in "+j.Town+" with breakfast. Answer; don't book.")
}

// Solve implements ui.Job.
func (j *hotelsCount) Solve(s *hotelsPage, x *ui.Pilot) {
	switch {
	case x.Answered() == j.Count:
		x.Complete()
	case s.Open != 0:
		x.Tap("list", 0)
	case s.Choosing:
		for k, t := range s.Towns {
			if t == j.Town {
				x.Tap("option", k+1)
			}
		}
		x.Back()
	case s.Town != j.Town:
		x.Tap("town", 0)
	case !s.Breakfast:
		x.Tap("breakfast", 0)
	case s.Stars > 2:
		x.Tap("stars", s.Stars)
	default:
		x.Answer(j.Count)
	}
}
