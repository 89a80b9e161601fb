package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[bankPage, bankBalance](ui.Template{
	Name: "bank-balance", Summary: "say what two accounts hold", Apps: []string{"bank"},
	Kind: ui.Find, Level: 1, MaxTurns: 8, Easy: true,
})

// bankBalance asks for the money in two accounts.
type bankBalance struct{ Answer string }

// Setup implements ui.Job.
func (j *bankBalance) Setup(s *bankPage, t *ui.Task) {
	a := ui.Draw(t.Rand, s.Accounts, 3)
	s.Tab = 1 + t.Rand.Intn(2)
	for _, p := range [][2]int{{0, 1}, {1, 0}, {0, 2}, {2, 1}, {1, 2}} {
		t.Offer(ui.Cents(a[p[0]].Cents) + ", " + ui.Cents(a[p[1]].Cents))
	}
	j.Answer = t.Texts[0]
	first, second := strings.ToLower(a[0].Name), strings.ToLower(a[1].Name)
	t.Answer(first, ui.Cents(a[0].Cents))
	t.Answer(second, ui.Cents(a[1].Cents))
	t.Say("How much is in the "+first+" account, and how much in the "+second+" account? Answer with the two amounts in this order.",
		"Answer with the balance of the "+first+" account and that of the "+second+" account, with a comma between.")
}

// Solve implements ui.Job.
func (j *bankBalance) Solve(s *bankPage, x *ui.Pilot) {
	switch {
	case x.Answered() == j.Answer:
		x.Complete()
	case s.Tab == 2 && (s.Choosing || s.Asked):
		x.Back()
	case s.Tab == 0:
		x.Answer(j.Answer)
	}
	x.Tap("tab", 0)
}
