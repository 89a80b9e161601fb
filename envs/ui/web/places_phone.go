package web

import "marlpit/envs/ui"

var _ = add[placesPage, placesPhone](ui.Template{
	Name: "places-phone", Summary: "look up when a place opens, and its phone number", Apps: []string{"places"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true, HeldOut: true,
})

// placesPhone asks for two facts about a place.
type placesPhone struct{ Place, Answer string }

// Setup implements ui.Job.
func (j *placesPhone) Setup(s *placesPage, t *ui.Task) {
	some := ui.Draw(t.Rand, s.Places, 6)
	for _, p := range some {
		t.Offer(ui.Clock(p.Opens) + ", " + p.Phone)
	}
	j.Place, j.Answer = some[0].Name, t.Texts[0]
	offer(t, ui.Clock(some[0].Closes)+", "+some[0].Phone, ui.Clock(some[0].Opens)+", "+some[1].Phone)
	t.Answer("opens", ui.Clock(some[0].Opens))
	t.Answer("phone", some[0].Phone)
	t.Say("When does "+j.Place+" open, and what is its phone number? Answer with time, number.",
		"Look "+j.Place+" up and answer with the opening time and the phone number, with a comma between.")
}

// Solve implements ui.Job.
func (j *placesPhone) Solve(s *placesPage, x *ui.Pilot) {
	if x.Answered() == j.Answer {
		x.Complete()
	}
	if s.show(x, j.Place) {
		x.Answer(j.Answer)
	}
}
