package web

import "marlpit/envs/ui"

var _ = add[shopPage, shopBuy](ui.Template{
	Name: "shop-buy", Summary: "buy one thing", Apps: []string{"shop"},
	Kind: ui.Create, Level: 2, MaxTurns: 20,
})

// shopBuy asks for one thing.
type shopBuy struct{ purchase }

// Setup implements ui.Job.
func (j *shopBuy) Setup(s *shopPage, t *ui.Task) {
	j.draw(s, t, 1, 1)
	t.Say("Order "+j.things(t.Rand)+" "+j.delivery()+".", "Buy "+j.things(t.Rand)+" in the shop, for "+j.Order.To.Name+" in "+j.Order.To.Town+".",
		j.Order.To.Name+" from "+j.Order.To.Town+" wants a "+j.Order.Lines[0].Name+" from the shop: order it.")
}
