package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[bankPage, bankShort](ui.Template{
	Name: "bank-short", Summary: "send more money than an account has", Apps: []string{"bank"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 18, Easy: true,
})

// bankShort asks for a transfer that the account hasn't the money for.
type bankShort struct{ ask payment }

// Setup implements ui.Job.
func (j *bankShort) Setup(s *bankPage, t *ui.Task) {
	a := ui.Pick(t.Rand, s.Accounts)
	cents := a.Cents + 1000 + 25*t.Rand.Intn(1000)
	j.ask.Pay = transfer{From: a.Name, To: s.Names[0], Amount: ui.Cents(cents), Reference: "Car"}
	t.Offer(s.Names[0], s.Names[1], j.ask.Pay.Amount, "Car", "House")
	t.Infeasible = true
	from := strings.ToLower(a.Name)
	t.Say("Transfer "+j.ask.Pay.Amount+" from the "+from+" account to "+s.Names[0]+" with the reference "+quoted("Car")+".",
		s.Names[0]+" gets "+j.ask.Pay.Amount+" for a car, all of it from my "+from+" account. Reference: "+quoted("Car")+".")
}

// Solve implements ui.Job.
func (j *bankShort) Solve(s *bankPage, x *ui.Pilot) {
	if j.ask.enter(s, x) {
		x.Infeasible()
	}
}
