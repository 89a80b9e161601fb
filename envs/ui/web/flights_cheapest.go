package web

import "marlpit/envs/ui"

var _ = add[flightsPage, flightsCheapest](ui.Template{
	Name: "flights-cheapest", Summary: "book the cheapest flight of a day", Apps: []string{"flights"},
	Kind: ui.Create, Level: 3, MaxTurns: 16,
})

// flightsCheapest asks for the flight with the lowest price.
type flightsCheapest struct{ trip }

// Setup implements ui.Job.
func (j *flightsCheapest) Setup(s *flightsPage, t *ui.Task) {
	j.draw(s, t, func(a, b *flight) bool { return a.Cents < b.Cents })
	t.Say("Book the cheapest flight from "+j.From+" to "+j.To+" on "+j.day(s)+".",
		"I travel on "+j.day(s)+", to "+j.To+" from "+j.From+": find the flight with the lowest price and book it.",
		"Find flights from "+j.From+" to "+j.To+" on "+j.day(s)+", and book whichever costs least.")
}
