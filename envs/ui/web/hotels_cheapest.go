package web

import "marlpit/envs/ui"

var _ = add[hotelsPage, hotelsCheapest](ui.Template{
	Name: "hotels-cheapest", Summary: "book the cheapest hotel of a town that has what is asked for", Apps: []string{"hotels"},
	Kind: ui.Create, Level: 3, MaxTurns: 16, Easy: true, HeldOut: true,
})

// hotelsCheapest asks for the cheapest one with enough stars, or with breakfast.
type hotelsCheapest struct{ wantedStay }

// Setup implements ui.Job.
func (j *hotelsCheapest) Setup(s *hotelsPage, t *ui.Task) {
	like := ui.Pick(t.Rand, s.Hotels)
	best := like
	for _, h := range s.Hotels {
		if h.Town == like.Town && h.Stars >= like.Stars && h.Breakfast == like.Breakfast && h.Cents < best.Cents {
			best = h
		}
	}
	j.Stay = stay{best.Name, 2, 1}
	with := "without breakfast"
	if like.Breakfast {
		with = "with breakfast"
	}
	stars := times(like.Stars, "star")
	t.Say("Book the cheapest hotel in "+like.Town+" that has at least "+stars+" and is "+with+", for 2 nights and 1 guest.",
		"Find a room in "+like.Town+": at least "+stars+", "+with+", as cheap as can be. Book it for one guest and two nights.")
}
