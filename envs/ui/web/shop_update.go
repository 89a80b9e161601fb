package web

import (
	"slices"

	"marlpit/envs/ui"
)

// Update implements ui.Sim.
func (s *shopPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "cart"):
		s.Screen = shopCart
	case e.Is(ui.Click, "catalogue"):
		s.Screen = shopCatalogue
	case e.Kind == ui.Back && s.Screen == shopCheckout:
		s.Screen = shopCart
	case e.Kind == ui.Back:
		s.Screen = shopCatalogue
	case s.Screen == shopProduct && within(s.Open, len(s.Goods)):
		if e.Is(ui.Click, "add") {
			s.add(s.Goods[s.Open].Name)
		}
	case s.Screen == shopCart:
		s.updateCart(e)
	case s.Screen == shopCheckout:
		s.updateCheckout(e)
	case e.Is(ui.Click, "category"):
		s.Screen, s.Category = shopCatalogue, e.Key
	case e.Is(ui.Click, "good"):
		s.Screen, s.Open = shopProduct, e.Key
	}
}

// add puts one more of something into the cart.
func (s *shopPage) add(name string) {
	for i := range s.Cart {
		if s.Cart[i].Name == name {
			s.Cart[i].Count++
			return
		}
	}
	s.Cart = append(s.Cart, cartLine{name, 1})
}

func (s *shopPage) updateCart(e ui.Event) {
	switch {
	case e.Is(ui.Click, "checkout"):
		s.Screen = shopCheckout
	case e.Is(ui.Click, "more") && within(e.Key, len(s.Cart)):
		s.Cart[e.Key].Count++
	case e.Is(ui.Click, "less") && within(e.Key, len(s.Cart)):
		if s.Cart[e.Key].Count--; s.Cart[e.Key].Count <= 0 {
			s.Cart = slices.Delete(s.Cart, e.Key, e.Key+1)
		}
	}
}

func (s *shopPage) updateCheckout(e ui.Event) {
	switch {
	case e.Is(ui.Input, "name"):
		s.Draft.Name = e.Text
	case e.Is(ui.Input, "town"):
		s.Draft.Town = e.Text
	case e.Is(ui.Click, "express"):
		s.Draft.Express = !s.Draft.Express
	case e.Is(ui.Click, "place") && len(s.Cart) > 0:
		s.Order = order{Lines: append(s.Order.Lines[:0], s.Cart...), To: s.Draft}
		s.Done = true
	}
}
