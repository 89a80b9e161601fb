package web

import "marlpit/envs/ui"

var _ = add[shopPage, shopSeveral](ui.Template{
	Name: "shop-several", Summary: "buy several things, some of them more than once", Apps: []string{"shop"},
	Kind: ui.Several, Level: 3, MaxTurns: 46,
})

// shopSeveral asks for three kinds of things, by express.
type shopSeveral struct{ purchase }

// Setup implements ui.Job.
func (j *shopSeveral) Setup(s *shopPage, t *ui.Task) {
	j.draw(s, t, 3, 3)
	j.Order.To.Express = t.Rand.Intn(2) == 0
	t.Say("Order "+j.things(t.Rand)+" "+j.delivery()+".", "Put "+j.things(t.Rand)+" into the cart, and have all that sent "+j.delivery()+".")
}
