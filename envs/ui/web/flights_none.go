package web

import "marlpit/envs/ui"

var _ = add[flightsPage, flightsNone](ui.Template{
	Name: "flights-none", Summary: "book a flight of a day on which none goes", Apps: []string{"flights"},
	Kind: ui.Infeasible, Level: 3, MaxTurns: 14, Easy: true,
})

// flightsNone asks for a flight that doesn't exist.
type flightsNone struct{ trip trip }

// Setup implements ui.Job.
func (j *flightsNone) Setup(s *flightsPage, t *ui.Task) {
	j.trip.draw(s, t, func(_, _ *flight) bool { return false })
	for s.flies(&j.trip) {
		j.trip.Day = 1 + t.Rand.Intn(flightDays)
	}
	j.trip.Flight = 0
	t.Infeasible = true
	t.Say("Book a flight from "+j.trip.From+" to "+j.trip.To+" on "+j.trip.day(s)+".",
		"I have to be in "+j.trip.To+" on "+j.trip.day(s)+" and start in "+j.trip.From+": book any flight of that day.")
}

// flies says whether a trip has flights.
func (s *flightsPage) flies(j *trip) bool {
	for i := range s.Flights {
		if f := &s.Flights[i]; f.From == j.From && f.To == j.To && f.Day+1 == j.Day {
			return true
		}
	}
	return false
}

// Solve implements ui.Job.
func (j *flightsNone) Solve(s *flightsPage, x *ui.Pilot) {
	if j.trip.find(s, x) {
		x.Infeasible()
	}
}
