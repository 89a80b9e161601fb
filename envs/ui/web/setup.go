package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[setupPage, setupAnswers](ui.Template{
	Name: "setup-answers", Summary: "answer a series of dialogs", Apps: []string{"setup"},
	Kind: ui.Several, Level: 2, MaxTurns: 14, HeldOut: true,
})

// setupPage asks its questions in one dialog after the other.
type setupPage struct {
	Form
	Ask []question
	At  int `ui:"view"` // the dialog shown; beyond the last: none
}

func (s *setupPage) fill(r *envs.Rand) {
	*s = setupPage{Ask: append(s.Ask[:0], ui.Draw(r, dialogs, 5)...)}
}

// App implements ui.Sim.
func (s *setupPage) App() string { return "setup" }

// View implements ui.Sim.
func (s *setupPage) View(b *ui.Builder) {
	b.Heading("Your answers")
	for i := range s.Ask {
		b.Label(b.Cat(s.Ask[i].Text, " ", s.Ask[i].Chosen))
	}
	b.Button("again", 0, "Ask me again")
	s.submit(b)
	if !within(s.At, len(s.Ask)) {
		return
	}
	q := &s.Ask[s.At]
	b.Dialog(q.Text)
	for i, o := range q.Options {
		b.Button("option", i, o)
	}
	b.Button("previous", 0, "Previous question").Disable(s.At == 0)
}

// Update implements ui.Sim.
func (s *setupPage) Update(e ui.Event) {
	asks := within(s.At, len(s.Ask))
	switch {
	case asks && e.Is(ui.Click, "option") && within(e.Key, len(s.Ask[s.At].Options)):
		s.Ask[s.At].Chosen = s.Ask[s.At].Options[e.Key]
		s.At++
	case asks && e.Is(ui.Click, "previous") && s.At > 0:
		s.At--
	case !asks && e.Is(ui.Click, "again"):
		s.At = 0
	case !asks:
		s.submits(e)
	}
}

// setupAnswers asks for an answer to each dialog.
type setupAnswers struct{ Chosen []string }

// Setup implements ui.Job.
func (j *setupAnswers) Setup(s *setupPage, t *ui.Task) {
	j.Chosen = nil
	for _, q := range s.Ask {
		j.Chosen = append(j.Chosen, ui.Pick(t.Rand, q.Options))
	}
	t.Say("Answer the dialogs with "+listed(j.Chosen)+", in this order, and submit.",
		"Five dialogs come up. Choose "+listed(j.Chosen)+", one after the other. Then press Submit.")
}

// Want implements ui.Wanter.
func (j *setupAnswers) Want(s *setupPage) {
	for i, c := range j.Chosen {
		s.Ask[i].Chosen = c
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *setupAnswers) Solve(s *setupPage, x *ui.Pilot) {
	if !within(s.At, len(s.Ask)) {
		for i := range min(len(s.Ask), len(j.Chosen)) {
			if s.Ask[i].Chosen != j.Chosen[i] {
				x.Tap("again", 0)
			}
		}
		x.Tap("submit", 0)
		return
	}
	for i := range min(s.At, len(j.Chosen)) {
		if s.Ask[i].Chosen != j.Chosen[i] {
			x.Tap("previous", 0)
		}
	}
	for i, o := range s.Ask[s.At].Options {
		if s.At < len(j.Chosen) && o == j.Chosen[s.At] {
			x.Tap("option", i)
		}
	}
}
