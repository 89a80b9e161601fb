package web

import "marlpit/envs/ui"

var _ = add[flightsPage, flightsPrice](ui.Template{
	Name: "flights-price", Summary: "say what the last flight of a day costs, and when it leaves", Apps: []string{"flights"},
	Kind: ui.Find, Level: 3, MaxTurns: 16, Easy: true,
})

// flightsPrice asks for two facts about the last flight of a day.
type flightsPrice struct {
	trip   trip
	Answer string
}

// Setup implements ui.Job.
func (j *flightsPrice) Setup(s *flightsPage, t *ui.Task) {
	j.trip.draw(s, t, func(a, b *flight) bool { return a.Depart > b.Depart })
	f := &s.Flights[j.trip.Flight-1]
	j.Answer = ui.Clock(f.Depart) + ", " + ui.Cents(f.Cents)
	t.Answer("departure", ui.Clock(f.Depart))
	t.Answer("price", ui.Cents(f.Cents))
	t.Offer(j.Answer)
	for i := range s.Flights {
		if o := &s.Flights[i]; s.sameTrip(o, f) && o != f && len(t.Texts) < ui.MaxTexts-1 {
			t.Offer(ui.Clock(o.Depart) + ", " + ui.Cents(o.Cents))
		}
	}
	t.Say("When does the last flight from "+j.trip.From+" to "+j.trip.To+" leave on "+j.trip.day(s)+", and what does it cost? Book nothing, answer with time, price.",
		"Look up the last departure from "+j.trip.From+" to "+j.trip.To+" on "+j.trip.day(s)+", and answer with its time and its price. Don't book.")
}

// sameTrip says whether two flights go the same way on the same day.
func (s *flightsPage) sameTrip(a, b *flight) bool {
	return a.From == b.From && a.To == b.To && a.Day == b.Day
}

// Solve implements ui.Job.
func (j *flightsPrice) Solve(s *flightsPage, x *ui.Pilot) {
	if x.Answered() == j.Answer {
		x.Complete()
	}
	if j.trip.find(s, x) {
		if x.Shows("flight", j.trip.Flight-1) {
			x.Answer(j.Answer)
		}
	}
}
