package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[pricePage, priceWait](ui.Template{
	Name: "price-wait", Summary: "wait until a price has fallen far enough, and buy", Apps: []string{"price"},
	Kind: ui.Operate, Level: 2, MaxTurns: 16,
})

// pricePage shows a price that changes with every turn in which one waits.
type pricePage struct {
	Base
	Thing  string
	Prices []int // in hundredths, one after the other, over and over
	At     int   `ui:"view"` // how often one has waited
	Paid   int
}

func (s *pricePage) fill(r *envs.Rand) {
	*s = pricePage{Thing: ui.Pick(r, tools)}
	for range 5 + r.Intn(4) {
		s.Prices = append(s.Prices, 3000+r.Intn(2000))
	}
	s.Prices = append(s.Prices, 2000+r.Intn(800))
}

// App implements ui.Sim.
func (s *pricePage) App() string { return "price" }

// price is what it costs now.
func (s *pricePage) price() int {
	if s.At < 0 || len(s.Prices) == 0 {
		return 0
	}
	return s.Prices[s.At%len(s.Prices)]
}

// View implements ui.Sim.
func (s *pricePage) View(b *ui.Builder) {
	b.Heading(s.Thing)
	b.Label(b.Cat("Price now: ", b.Cents(s.price())))
	b.Label("Prices change while you wait.")
	b.Button("buy", 0, "Buy")
	b.Button("leave", 0, "Leave the shop")
}

// Update implements ui.Sim.
func (s *pricePage) Update(e ui.Event) {
	switch {
	case e.Kind == ui.Wait:
		s.At++
	case e.Is(ui.Click, "buy"):
		s.Paid, s.Done = s.price(), true
	case e.Is(ui.Click, "leave"):
		s.Done = true
	}
}

// priceWait asks to buy at the lowest price only.
type priceWait struct{ Most int }

// Setup implements ui.Job.
func (j *priceWait) Setup(s *pricePage, t *ui.Task) {
	j.Most = 2800 + 10*t.Rand.Intn(20)
	most := ui.Cents(j.Most)
	t.Say("Buy when the price is "+most+" or less.", "Wait until this costs at most "+most+", then buy it.",
		"I don't pay more than "+most+". Buy as soon as that is enough.")
}

// Check implements ui.Checker.
func (j *priceWait) Check(s *pricePage) string {
	switch {
	case s.Paid == 0:
		return "nothing was bought"
	case s.Paid > j.Most:
		return "it was bought for too much"
	}
	return ""
}

// Solve implements ui.Job.
func (j *priceWait) Solve(s *pricePage, x *ui.Pilot) {
	if s.price() <= j.Most {
		x.Tap("buy", 0)
	}
	x.Wait()
}
