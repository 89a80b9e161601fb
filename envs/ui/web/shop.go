package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// shopPage is a shop with a cart. Placing the order ends the episode.
type shopPage struct {
	Base
	Goods    []good
	Cart     []cartLine `ui:"view"`
	Screen   shopScreen `ui:"view"`
	Open     int        `ui:"view"` // the product that is shown, from 0
	Category int        `ui:"view"` // from 1, 0 for all
	Draft    address    `ui:"view"`
	Order    order
}

// shopScreen is what the shop shows.
type shopScreen int

const (
	shopCatalogue shopScreen = iota
	shopProduct
	shopCart
	shopCheckout
)

// good is something to buy.
type good struct {
	Name     string
	Category string
	Cents    int
	SoldOut  bool
}

// cartLine is something in the cart.
type cartLine struct {
	Name  string
	Count int
}

// address is where an order goes.
type address struct {
	Name, Town string
	Express    bool
}

// order is what was bought.
type order struct {
	Lines []cartLine `ui:"set"`
	To    address
}

// shopCategories are the kinds of goods.
var shopCategories = []string{"Tools", "Fruit", "Toys"}

func (s *shopPage) fill(r *envs.Rand) {
	*s = shopPage{}
	from := [][]string{tools, fruits, animals}
	prices := twoDigits(r, 15)
	for i, category := range shopCategories {
		for k, name := range ui.Draw(r, from[i], 5) {
			s.Goods = append(s.Goods, good{Name: name, Category: category, Cents: prices[5*i+k]*100 + 50})
		}
	}
	r.Shuffle(len(s.Goods), func(i, k int) { s.Goods[i], s.Goods[k] = s.Goods[k], s.Goods[i] })
}

// App implements ui.Sim.
func (s *shopPage) App() string { return "shop" }

// View implements ui.Sim.
func (s *shopPage) View(b *ui.Builder) {
	switch {
	case s.Screen == shopProduct && within(s.Open, len(s.Goods)):
		s.viewProduct(b, &s.Goods[s.Open])
	case s.Screen == shopCart:
		s.viewCart(b)
	case s.Screen == shopCheckout:
		b.Heading("Your order")
		b.Field("name", 0, "Name", s.Draft.Name)
		b.Field("town", 0, "Town", s.Draft.Town)
		b.Check("express", 0, "Express delivery", s.Draft.Express)
		b.Button("place", 0, "Place the order")
		b.Link("cart", 0, "Back to the cart")
	default:
		s.viewCatalogue(b)
	}
}

func (s *shopPage) viewCatalogue(b *ui.Builder) {
	b.Row(2)
	b.Heading("Corner Shop")
	b.Button("cart", 0, b.Cat("Cart (", b.Int(s.things()), ")"))
	b.Row(len(shopCategories) + 1)
	b.Tab("category", 0, "All", s.Category == 0)
	for i, c := range shopCategories {
		b.Tab("category", i+1, c, s.Category == i+1)
	}
	b.Scroll("goods", 0)
	for i := range s.Goods {
		if g := &s.Goods[i]; s.lists(g) {
			b.Item("good", i, g.Name, b.Cents(g.Cents))
		}
	}
	b.End()
}

func (s *shopPage) viewProduct(b *ui.Builder, g *good) {
	b.Heading(g.Name)
	b.Label(b.Cat("From: ", g.Category))
	b.Label(b.Cat("Price: ", b.Cents(g.Cents)))
	if g.SoldOut {
		b.Label("Sold out, and not made any more.")
	} else {
		b.Label(b.Cat("In your cart: ", b.Int(s.inCart(g.Name))))
	}
	b.Button("add", 0, "Add to cart").Disable(g.SoldOut)
	b.Row(2)
	b.Button("catalogue", 0, "All goods")
	b.Button("cart", 0, "Cart")
}

func (s *shopPage) viewCart(b *ui.Builder) {
	b.Heading("Cart")
	b.Scroll("lines", 2*submitHeight)
	for i := range s.Cart {
		l := &s.Cart[i]
		b.Row(3)
		b.Label(b.Cat(b.Int(l.Count), " x ", l.Name))
		b.Button("less", i, "One less").Describe(l.Name)
		b.Button("more", i, "One more").Describe(l.Name)
	}
	b.End()
	b.Label(b.Cat("Total: ", b.Cents(s.total())))
	b.Row(2)
	b.Button("catalogue", 0, "All goods")
	b.Button("checkout", 0, "Check out").Disable(len(s.Cart) == 0)
}

// lists says whether the catalogue shows a good.
func (s *shopPage) lists(g *good) bool {
	return !within(s.Category-1, len(shopCategories)) || g.Category == shopCategories[s.Category-1]
}

// priceOf is the price of a good by its name.
func (s *shopPage) priceOf(name string) int {
	for i := range s.Goods {
		if s.Goods[i].Name == name {
			return s.Goods[i].Cents
		}
	}
	return 0
}

// total is the price of all that is in the cart.
func (s *shopPage) total() (sum int) {
	for i := range s.Cart {
		sum += s.Cart[i].Count * s.priceOf(s.Cart[i].Name)
	}
	return sum
}

// things is the number of things in the cart.
func (s *shopPage) things() (n int) {
	for i := range s.Cart {
		n += s.Cart[i].Count
	}
	return n
}

// inCart is the number of things of a name in the cart.
func (s *shopPage) inCart(name string) int {
	for i := range s.Cart {
		if s.Cart[i].Name == name {
			return s.Cart[i].Count
		}
	}
	return 0
}
