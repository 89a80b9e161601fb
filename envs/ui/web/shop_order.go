package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// purchase is an order to place.
type purchase struct{ Order order }

// draw draws goods, their numbers up to most, and an address that is offered among others.
func (j *purchase) draw(s *shopPage, t *ui.Task, goods, most int) {
	j.Order = order{}
	for _, g := range ui.Draw(t.Rand, s.Goods, goods) {
		j.Order.Lines = append(j.Order.Lines, cartLine{g.Name, 1 + t.Rand.Intn(most)})
	}
	j.address(t)
}

// address draws an address and offers it among others.
func (j *purchase) address(t *ui.Task) {
	names, towns := fullNames(t.Rand, 3), ui.Draw(t.Rand, cities, 3)
	j.Order.To = address{Name: names[0], Town: towns[0]}
	t.Offer(names...)
	t.Offer(towns...)
}

// things are the things to buy in words.
func (j *purchase) things(r *envs.Rand) string {
	var out []string
	for _, l := range ui.Draw(r, j.Order.Lines, len(j.Order.Lines)) {
		out = append(out, l.inWords())
	}
	return listed(out)
}

// inWords is the line as "2 x Hammer".
func (l *cartLine) inWords() string { return string(rune('0'+l.Count)) + " x " + l.Name }

// delivery is where it goes in words.
func (j *purchase) delivery() string {
	if j.Order.To.Express {
		return "by express to " + j.Order.To.Name + ", " + j.Order.To.Town
	}
	return "to " + j.Order.To.Name + ", " + j.Order.To.Town
}

// Want implements ui.Wanter.
func (j *purchase) Want(s *shopPage) { s.Order = j.Order }

// count is how many of a name are wanted.
func (j *purchase) count(name string) int {
	for _, l := range j.Order.Lines {
		if l.Name == name {
			return l.Count
		}
	}
	return 0
}

// missing is a good that isn't in the cart yet, or -1; full says that the cart is as wanted.
func (j *purchase) missing(s *shopPage) (at int, full bool) {
	at, full = -1, true
	for i := range s.Goods {
		name := s.Goods[i].Name
		if n := s.inCart(name); at < 0 && n < j.count(name) && n == 0 {
			at = i
		} else if n != j.count(name) {
			full = false
		}
	}
	return at, full && at < 0
}

// Solve implements ui.Job.
func (j *purchase) Solve(s *shopPage, x *ui.Pilot) {
	missing, full := j.missing(s)
	switch {
	case s.Screen == shopCheckout && full:
		j.fillIn(s, x)
	case s.Screen == shopCart:
		for i := range s.Cart {
			switch n := j.count(s.Cart[i].Name); {
			case s.Cart[i].Count > n:
				x.Tap("less", i)
			case s.Cart[i].Count < n:
				x.Tap("more", i)
			}
		}
		if full {
			x.Tap("checkout", 0)
		}
		x.Tap("catalogue", 0)
	case s.Screen == shopProduct && within(s.Open, len(s.Goods)):
		if name := s.Goods[s.Open].Name; s.inCart(name) < j.count(name) {
			x.Tap("add", 0)
		}
		if missing >= 0 {
			x.Tap("catalogue", 0)
		}
	case s.Screen == shopCatalogue && missing >= 0:
		x.Tap("good", missing)
		x.Tap("category", 0)
	}
	x.Tap("cart", 0)
}

// fillIn fills in the last page and sends it.
func (j *purchase) fillIn(s *shopPage, x *ui.Pilot) {
	switch to := &j.Order.To; {
	case s.Draft.Name != to.Name:
		x.Type("name", 0, to.Name)
	case s.Draft.Town != to.Town:
		x.Type("town", 0, to.Town)
	case s.Draft.Express != to.Express:
		x.Tap("express", 0)
	default:
		x.Tap("place", 0)
	}
}
