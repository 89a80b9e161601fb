package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[shopPage, shopCheapest](ui.Template{
	Name: "shop-cheapest", Summary: "buy the cheapest or dearest thing of a category", Apps: []string{"shop"},
	Kind: ui.Create, Level: 3, MaxTurns: 22,
})

// shopCheapest asks for the thing with the lowest or highest price.
type shopCheapest struct{ purchase }

// Setup implements ui.Job.
func (j *shopCheapest) Setup(s *shopPage, t *ui.Task) {
	category, sign, which := ui.Pick(t.Rand, shopCategories), 1, "cheapest"
	if t.Rand.Intn(2) == 0 {
		sign, which = -1, "most expensive"
	}
	best := good{}
	for _, g := range s.Goods {
		if g.Category == category && (best.Name == "" || sign*g.Cents < sign*best.Cents) {
			best = g
		}
	}
	j.Order = order{Lines: []cartLine{{best.Name, 1}}}
	j.address(t)
	t.Say("Order the "+which+" thing among the "+strings.ToLower(category)+", once, "+j.delivery()+".",
		"Find out which of the "+strings.ToLower(category)+" is the "+which+", and have one sent "+j.delivery()+".")
}
