package web

import "marlpit/envs/ui"

var _ = add[hotelsPage, hotelsNamed](ui.Template{
	Name: "hotels-named", Summary: "book a named hotel for some nights and guests", Apps: []string{"hotels"},
	Kind: ui.Create, Level: 2, MaxTurns: 24,
})

// hotelsNamed asks for a stay of which all is told.
type hotelsNamed struct{ wantedStay }

// Setup implements ui.Job.
func (j *hotelsNamed) Setup(s *hotelsPage, t *ui.Task) {
	h := ui.Pick(t.Rand, s.Hotels)
	j.Stay = stay{h.Name, 2 + t.Rand.Intn(4), 1 + t.Rand.Intn(4)}
	nights, guests := times(j.Stay.Nights, "night"), times(j.Stay.Guests, "guest")
	t.Say("Book the "+h.Name+" for "+nights+" and "+guests+".", "I need "+nights+" at the "+h.Name+" in "+h.Town+", for "+guests+". Book that.",
		"Reserve "+nights+" for "+guests+" at the "+h.Name+".")
}
