package web

import (
	"slices"
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[buttonsPage, clickButton](ui.Template{
		Name: "click-button", Summary: "click the named button", Apps: []string{"buttons"},
		Kind: ui.Operate, Level: 1, MaxTurns: 4, Easy: true,
	})
	_ = add[buttonsPage, clickOdd](ui.Template{
		Name: "click-odd-one", Summary: "click the word that doesn't belong", Apps: []string{"buttons"},
		Kind: ui.Operate, Level: 2, MaxTurns: 4, Easy: true, HeldOut: true,
	})
	_ = add[buttonsPage, clickNumber](ui.Template{
		Name: "click-greatest", Summary: "click the greatest or smallest number", Apps: []string{"buttons"},
		Kind: ui.Operate, Level: 1, MaxTurns: 4, Easy: true,
	})
)

var buttonWords = []string{"Okay", "Submit", "Cancel", "Next", "Previous", "Yes", "No", "Send", "Open", "Close"}

// buttonsPage shows buttons, of which one click ends the page.
type buttonsPage struct {
	Base
	Words   []string
	Clicked string
}

func (s *buttonsPage) fill(r *envs.Rand) {
	*s = buttonsPage{Words: append(s.Words[:0], ui.Draw(r, buttonWords, 4+r.Intn(3))...)}
}

// App implements ui.Sim.
func (s *buttonsPage) App() string { return "buttons" }

// View implements ui.Sim.
func (s *buttonsPage) View(b *ui.Builder) {
	for i, w := range s.Words {
		b.Button("button", i, w)
	}
}

// Update implements ui.Sim.
func (s *buttonsPage) Update(e ui.Event) {
	if e.Is(ui.Click, "button") && e.Key >= 0 && e.Key < len(s.Words) {
		s.Clicked, s.Done = s.Words[e.Key], true
	}
}

// wantedWord is the one button that is asked for.
type wantedWord struct{ Word string }

// Want implements ui.Wanter.
func (j *wantedWord) Want(s *buttonsPage) { s.Clicked = j.Word }

// Solve implements ui.Job.
func (j *wantedWord) Solve(s *buttonsPage, x *ui.Pilot) {
	x.Tap("button", slices.Index(s.Words, j.Word))
}

// clickButton asks for one of the buttons.
type clickButton struct{ wantedWord }

// Setup implements ui.Job.
func (j *clickButton) Setup(s *buttonsPage, t *ui.Task) {
	j.Word = ui.Pick(t.Rand, s.Words)
	t.Say(`Click on the "`+j.Word+`" button.`, `Press the button that says "`+j.Word+`".`)
}

// clickOdd asks for the one word that names another kind of thing than the rest.
type clickOdd struct{ wantedWord }

// Setup implements ui.Job.
func (j *clickOdd) Setup(s *buttonsPage, t *ui.Task) {
	kinds := ui.Draw(t.Rand, [][]string{fruits, animals, tools, rooms, cities}, 2)
	j.Word = ui.Pick(t.Rand, kinds[1])
	words := append(ui.Draw(t.Rand, kinds[0], 4), j.Word)
	s.Words = append(s.Words[:0], ui.Draw(t.Rand, words, 5)...)
	first := s.Words[0]
	t.Say("The list starts with "+first+". Click the word in it that names another kind of thing than the rest.",
		"Which of the words, from "+first+" on, doesn't belong? Click it.")
}

// clickNumber asks for the greatest or the smallest number.
type clickNumber struct{ wantedWord }

// Setup implements ui.Job.
func (j *clickNumber) Setup(s *buttonsPage, t *ui.Task) {
	var numbers []int
	for n := 4 + t.Rand.Intn(3); len(numbers) < n; {
		if k := 1 + t.Rand.Intn(999); !slices.Contains(numbers, k) {
			numbers = append(numbers, k)
		}
	}
	s.Words = s.Words[:0]
	for _, k := range numbers {
		s.Words = append(s.Words, strconv.Itoa(k))
	}
	what := "greatest"
	j.Word = strconv.Itoa(slices.Max(numbers))
	if t.Rand.Intn(2) == 0 {
		what, j.Word = "smallest", strconv.Itoa(slices.Min(numbers))
	}
	t.Say("Click on the "+what+" number.", "Press the button with the "+what+" of the numbers.",
		"One of these numbers is the "+what+": click it.")
}
