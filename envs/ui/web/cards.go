package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[cardsPage, cardsGreatest](ui.Template{
	Name: "cards-greatest", Summary: "turn cards and choose the greatest or smallest", Apps: []string{"cards"},
	Kind: ui.Find, Level: 3, MaxTurns: 16,
})

// cardsPage has cards that show their numbers once they are turned. Only when
// all have been turned can one of them be chosen.
type cardsPage struct {
	Form
	Cards  []numberCard
	Chosen string // the name of a card
}

// numberCard is a card with a name on its back and a number on its face.
type numberCard struct {
	Name   string
	Number int
	Turned bool `ui:"view"`
}

func (s *cardsPage) fill(r *envs.Rand) {
	*s = cardsPage{}
	names := ui.Draw(r, colours, 5)
	for i, n := range twoDigits(r, len(names)) {
		s.Cards = append(s.Cards, numberCard{Name: names[i], Number: n})
	}
}

// App implements ui.Sim.
func (s *cardsPage) App() string { return "cards" }

// hidden says whether there is a card that hasn't been turned.
func (s *cardsPage) hidden() bool {
	for i := range s.Cards {
		if !s.Cards[i].Turned {
			return true
		}
	}
	return false
}

// View implements ui.Sim.
func (s *cardsPage) View(b *ui.Builder) {
	b.Heading("Cards")
	for i := range s.Cards {
		c := &s.Cards[i]
		b.Row(2)
		face := "?"
		if c.Turned {
			face = b.Int(c.Number)
		}
		b.Button("turn", i, face).Describe(b.Cat("turn the ", c.Name, " card")).Disable(c.Turned)
		b.Radio("choose", i, b.Cat("Choose ", c.Name), s.Chosen == c.Name).Disable(s.hidden())
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *cardsPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "turn") && within(e.Key, len(s.Cards)):
		s.Cards[e.Key].Turned = true
	case e.Is(ui.Click, "choose") && within(e.Key, len(s.Cards)):
		s.Chosen = s.Cards[e.Key].Name
	default:
		s.submits(e)
	}
}

// cardsGreatest asks for the card with the greatest or smallest number.
type cardsGreatest struct{ Name string }

// Setup implements ui.Job.
func (j *cardsGreatest) Setup(s *cardsPage, t *ui.Task) {
	sign, how := 1, "greatest"
	if t.Rand.Intn(2) == 0 {
		sign, how = -1, "smallest"
	}
	best := s.Cards[0]
	for _, c := range s.Cards {
		if sign*c.Number > sign*best.Number {
			best = c
		}
	}
	j.Name = best.Name
	n := strconv.Itoa(len(s.Cards))
	t.Say("Turn the "+n+" cards, choose the one with the "+how+" number, and submit.",
		"Which of the cards has the "+how+" number? Choose it and press Submit.")
}

// Want implements ui.Wanter.
func (j *cardsGreatest) Want(s *cardsPage) { s.Chosen, s.Submitted = j.Name, true }

// Solve implements ui.Job.
func (j *cardsGreatest) Solve(s *cardsPage, x *ui.Pilot) {
	for i := range s.Cards {
		if !s.Cards[i].Turned {
			x.Tap("turn", i)
		}
	}
	for i := range s.Cards {
		if s.Cards[i].Name == j.Name && s.Chosen != j.Name {
			x.Tap("choose", i)
		}
	}
	x.Tap("submit", 0)
}
