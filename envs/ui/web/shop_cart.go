package web

import "marlpit/envs/ui"

var _ = add[shopPage, shopMend](ui.Template{
	Name: "shop-cart", Summary: "put a full cart right, and order", Apps: []string{"shop"},
	Kind: ui.Edit, Level: 3, MaxTurns: 26, HeldOut: true,
})

// shopMend asks to change the numbers of what is in the cart already.
type shopMend struct{ purchase }

// Setup implements ui.Job.
func (j *shopMend) Setup(s *shopPage, t *ui.Task) {
	j.draw(s, t, 3, 3)
	for _, l := range j.Order.Lines {
		s.Cart = append(s.Cart, cartLine{l.Name, 1 + (l.Count+t.Rand.Intn(2))%3}) // another number
	}
	thrown := s.Cart[2].Name
	j.Order.Lines = j.Order.Lines[:2]
	t.Say("Change the cart to "+j.things(t.Rand)+" without any "+thrown+", and order that "+j.delivery()+".",
		"Somebody has filled the cart wrongly. Make it "+j.things(t.Rand)+", nothing else, and order "+j.delivery()+".")
}
