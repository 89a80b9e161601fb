package web

import "marlpit/envs/ui"

var _ = add[shopPage, shopTotal](ui.Template{
	Name: "shop-total", Summary: "say what several things cost together", Apps: []string{"shop"},
	Kind: ui.Find, Level: 3, MaxTurns: 28, Easy: true,
})

// shopTotal asks for the price of three things.
type shopTotal struct {
	basket purchase
	Answer string
}

// Setup implements ui.Job.
func (j *shopTotal) Setup(s *shopPage, t *ui.Task) {
	sum := 0
	for _, g := range ui.Draw(t.Rand, s.Goods, 3) {
		j.basket.Order.Lines = append(j.basket.Order.Lines, cartLine{g.Name, 1})
		sum += g.Cents
	}
	j.Answer = ui.Cents(sum)
	t.Answer("total", j.Answer)
	for _, off := range []int{0, -1000, -100, 100, 200, 1000} {
		t.Offer(ui.Cents(sum + off))
	}
	what := j.basket.things(t.Rand)
	t.Say("What do "+what+" cost together? Don't order, answer with the sum.",
		"Somebody wants "+what+". Answer with the price of all that; order nothing.")
}

// Solve implements ui.Job: the cart adds up.
func (j *shopTotal) Solve(s *shopPage, x *ui.Pilot) {
	_, full := j.basket.missing(s)
	switch {
	case x.Answered() == j.Answer:
		x.Complete()
	case s.Screen == shopCart && full:
		x.Answer(j.Answer)
	}
	j.basket.Solve(s, x)
}
