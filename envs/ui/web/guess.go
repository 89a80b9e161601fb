package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[guessPage, guess](ui.Template{
	Name: "guess-number", Summary: "guess a number with hints", Apps: []string{"guess"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true, HeldOut: true,
})

// guessPage says of each guess whether the number is higher or lower; the right one ends it.
type guessPage struct {
	Base
	Most    int // numbers go from 1 to it
	Number  int // to be guessed
	Guess   int // the last one, 0 for none
	Above   int `ui:"view"` // the number is above it, by the hints so far
	Below   int `ui:"view"` // the number is below it
	Guesses int `ui:"view"`
}

// maxNumbers is the greatest number of buttons on the page.
const maxNumbers = 30

func (s *guessPage) fill(r *envs.Rand) {
	*s = guessPage{Most: 20 + 5*r.Intn(3)}
	s.Number, s.Below = 1+r.Intn(s.Most), s.Most+1
}

// App implements ui.Sim.
func (s *guessPage) App() string { return "guess" }

// View implements ui.Sim.
func (s *guessPage) View(b *ui.Builder) {
	b.Heading("Guess the number")
	switch {
	case s.Guess == 0:
		b.Label("No guess so far.")
	case s.Guess < s.Number:
		b.Label(b.Cat("It is higher than ", b.Int(s.Guess), "."))
	case s.Guess > s.Number:
		b.Label(b.Cat("It is lower than ", b.Int(s.Guess), "."))
	default:
		b.Label("That's it!")
	}
	n := max(0, min(s.Most, maxNumbers))
	for i := range n {
		if i%5 == 0 {
			b.Row(5)
		}
		b.Button("number", i+1, b.Int(i+1))
	}
	pad(b, 5, n)
}

// Update implements ui.Sim.
func (s *guessPage) Update(e ui.Event) {
	if !e.Is(ui.Click, "number") {
		return
	}
	s.Guess = e.Key
	switch s.Guesses++; {
	case s.Guess < s.Number:
		s.Above = max(s.Above, s.Guess)
	case s.Guess > s.Number:
		s.Below = min(s.Below, s.Guess)
	default:
		s.Done = true
	}
}

// guess asks for the number.
type guess struct{}

// Setup implements ui.Job.
func (j *guess) Setup(s *guessPage, t *ui.Task) {
	most := strconv.Itoa(s.Most)
	t.Say("Guess the number from 1 to "+most+".",
		"The page has thought of a number that isn't above "+most+". Find out which, by its hints.")
}

// Want implements ui.Wanter.
func (j *guess) Want(s *guessPage) { s.Guess = s.Number }

// Solve implements ui.Job. It goes by the hints alone: halfway between what they leave.
func (j *guess) Solve(s *guessPage, x *ui.Pilot) { x.Tap("number", (s.Above+s.Below)/2) }
