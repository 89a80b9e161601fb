package web

import (
	"slices"
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[sequencePage, buttonsOrder](ui.Template{
		Name: "sequence-named", Summary: "press three buttons in the order given", Apps: []string{"sequence"},
		Kind: ui.Operate, Level: 2, MaxTurns: 10,
	})
	_ = add[sequencePage, buttonsAlphabet](ui.Template{
		Name: "sequence-alphabet", Summary: "press four buttons in alphabetical order", Apps: []string{"sequence"},
		Kind: ui.Operate, Level: 2, MaxTurns: 12,
	})
	_ = add[sequencePage, buttonsNumbers](ui.Template{
		Name: "sequence-numbers", Summary: "press buttons with numbers by their size", Apps: []string{"sequence"},
		Kind: ui.Operate, Level: 2, MaxTurns: 12, HeldOut: true,
	})
)

// maxClicks is how many clicks a sequence remembers.
const maxClicks = 8

// sequencePage remembers the order in which its buttons are pressed.
type sequencePage struct {
	Form
	Words  []string
	Clicks []string
}

func (s *sequencePage) fill(r *envs.Rand) {
	*s = sequencePage{Words: append(s.Words[:0], ui.Draw(r, tools, 6)...), Clicks: s.Clicks[:0]}
}

// App implements ui.Sim.
func (s *sequencePage) App() string { return "sequence" }

// View implements ui.Sim.
func (s *sequencePage) View(b *ui.Builder) {
	b.Heading("Buttons")
	for i, w := range s.Words {
		if i%2 == 0 {
			b.Row(2)
		}
		b.Button("button", i, w)
	}
	pad(b, 2, len(s.Words))
	b.Label(b.Cat("Pressed so far: ", commas(b, s.Clicks)))
	b.Row(2)
	b.Button("clear", 0, "Clear")
	s.submit(b)
}

// Update implements ui.Sim.
func (s *sequencePage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "button") && within(e.Key, len(s.Words)) && len(s.Clicks) < maxClicks:
		s.Clicks = append(s.Clicks, s.Words[e.Key])
	case e.Is(ui.Click, "clear"):
		s.Clicks = s.Clicks[:0]
	default:
		s.submits(e)
	}
}

// wantedOrder is an order of buttons that is asked for.
type wantedOrder struct{ Order []string }

// Want implements ui.Wanter.
func (j *wantedOrder) Want(s *sequencePage) {
	s.Clicks, s.Submitted = append(s.Clicks[:0], j.Order...), true
}

// Solve implements ui.Job.
func (j *wantedOrder) Solve(s *sequencePage, x *ui.Pilot) {
	n := len(s.Clicks)
	switch {
	case n > len(j.Order) || !slices.Equal(s.Clicks, j.Order[:n]):
		x.Tap("clear", 0)
	case n == len(j.Order):
		x.Tap("submit", 0)
	default:
		x.Tap("button", slices.Index(s.Words, j.Order[n]))
	}
}

// buttonsOrder asks for three of the buttons in a given order.
type buttonsOrder struct{ wantedOrder }

// Setup implements ui.Job.
func (j *buttonsOrder) Setup(s *sequencePage, t *ui.Task) {
	j.Order = ui.Draw(t.Rand, s.Words, 3)
	a, b, c := quoted(j.Order[0]), quoted(j.Order[1]), quoted(j.Order[2])
	t.Say("Press "+a+", then "+b+", then "+c+", and submit.",
		"In this order: "+a+", "+b+", "+c+". Press these buttons, then submit.",
		"Start with "+a+", go on with "+b+", end with "+c+", and press Submit.")
}

// buttonsAlphabet asks for all buttons by the alphabet.
type buttonsAlphabet struct{ wantedOrder }

// Setup implements ui.Job.
func (j *buttonsAlphabet) Setup(s *sequencePage, t *ui.Task) {
	s.Words = append(s.Words[:0], ui.Draw(t.Rand, ui.Pick(t.Rand, [][]string{fruits, animals, rooms}), 4)...)
	j.Order = slices.Sorted(slices.Values(s.Words))
	t.Say("Press the buttons from "+j.Order[0]+" to "+j.Order[3]+" in alphabetical order, and submit.",
		"Press all four buttons as a dictionary would list them, "+j.Order[0]+" first, then press Submit.")
}

// buttonsNumbers asks for all buttons by the numbers on them.
type buttonsNumbers struct{ wantedOrder }

// Setup implements ui.Job.
func (j *buttonsNumbers) Setup(s *sequencePage, t *ui.Task) {
	s.Words, j.Order = s.Words[:0], nil
	at := t.Rand.Intn(30)
	for range 4 {
		at += 1 + t.Rand.Intn(40)
		j.Order = append(j.Order, strconv.Itoa(at))
	}
	how := "smallest to the greatest"
	if t.Rand.Intn(2) == 0 {
		slices.Reverse(j.Order)
		how = "greatest to the smallest"
	}
	s.Words = append(s.Words, ui.Draw(t.Rand, j.Order, len(j.Order))...)
	t.Say("Press the numbers from the "+how+", and submit.",
		"Press all the buttons in order of their numbers, from the "+how+". Then submit.")
}
