package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[buttonsPage, clickButton](ui.Template{
	Name: "click-button", Summary: "click the named button", Apps: []string{"buttons"},
	Kind: ui.Operate, Level: 1, MaxTurns: 4, Easy: true,
})

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

// clickButton asks for one of the buttons.
type clickButton struct{ Word string }

// Setup implements ui.Job.
func (j *clickButton) Setup(s *buttonsPage, t *ui.Task) {
	j.Word = ui.Pick(t.Rand, s.Words)
	t.Say(`Click on the "`+j.Word+`" button.`, `Press the button that says "`+j.Word+`".`)
}

// Want implements ui.Wanter.
func (j *clickButton) Want(s *buttonsPage) { s.Clicked = j.Word }

// Solve implements ui.Job.
func (j *clickButton) Solve(s *buttonsPage, x *ui.Pilot) {
	for i, w := range s.Words {
		if w == j.Word {
			x.Tap("button", i)
		}
	}
}
