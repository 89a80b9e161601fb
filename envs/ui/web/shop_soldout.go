package web

import "marlpit/envs/ui"

var _ = add[shopPage, shopSoldOut](ui.Template{
	Name: "shop-soldout", Summary: "buy something that is sold out", Apps: []string{"shop"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 10, Easy: true,
})

// shopSoldOut asks for something that can't be had.
type shopSoldOut struct{ wish purchase }

// Setup implements ui.Job.
func (j *shopSoldOut) Setup(s *shopPage, t *ui.Task) {
	j.wish.draw(s, t, 1, 1)
	for i := range s.Goods {
		wished := s.Goods[i].Name == j.wish.Order.Lines[0].Name
		s.Goods[i].SoldOut = wished || t.Rand.Intn(4) == 0
	}
	t.Infeasible = true
	t.Say("Order "+j.wish.things(t.Rand)+" "+j.wish.delivery()+".",
		"Buy a "+j.wish.Order.Lines[0].Name+" in the shop, for "+j.wish.Order.To.Name+" in "+j.wish.Order.To.Town+".")
}

// Solve implements ui.Job.
func (j *shopSoldOut) Solve(s *shopPage, x *ui.Pilot) {
	if s.Screen == shopProduct && within(s.Open, len(s.Goods)) && s.Goods[s.Open].Name == j.wish.Order.Lines[0].Name {
		x.Infeasible()
	}
	if s.Screen != shopCatalogue {
		x.Tap("catalogue", 0)
	}
	for i := range s.Goods {
		if s.Goods[i].Name == j.wish.Order.Lines[0].Name {
			x.Tap("good", i)
		}
	}
	x.Tap("category", 0)
}
