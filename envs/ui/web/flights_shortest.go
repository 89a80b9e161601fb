package web

import "marlpit/envs/ui"

var _ = add[flightsPage, flightsShortest](ui.Template{
	Name: "flights-shortest", Summary: "book the shortest flight of a day", Apps: []string{"flights"},
	Kind: ui.Create, Level: 3, MaxTurns: 16, HeldOut: true,
})

// flightsShortest asks for the flight with the least time in the air.
type flightsShortest struct{ trip }

// Setup implements ui.Job.
func (j *flightsShortest) Setup(s *flightsPage, t *ui.Task) {
	j.draw(s, t, func(a, b *flight) bool { return a.Minutes < b.Minutes })
	t.Say("Book the shortest flight from "+j.From+" to "+j.To+" on "+j.day(s)+".",
		"On "+j.day(s)+" I go from "+j.From+" to "+j.To+". Book the flight with the least time in the air.")
}
