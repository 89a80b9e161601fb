package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[optionsPage, optionsSeveral](ui.Template{
	Name: "options-several", Summary: "select several options of a list with long presses", Apps: []string{"options"},
	Kind: ui.Several, Level: 2, MaxTurns: 16,
})

// optionsPage is a list of which several options can be selected: a click
// selects one alone, a long press adds one or takes it away.
type optionsPage struct {
	Form
	Options []box
}

func (s *optionsPage) fill(r *envs.Rand) {
	*s = optionsPage{}
	for _, w := range ui.Draw(r, cities, 12) {
		s.Options = append(s.Options, box{Text: w})
	}
	s.Options[r.Intn(len(s.Options))].Checked = true
}

// App implements ui.Sim.
func (s *optionsPage) App() string { return "options" }

// View implements ui.Sim.
func (s *optionsPage) View(b *ui.Builder) {
	b.Label("A click selects one city. A long press adds one or takes it away.")
	b.Scroll("options", submitHeight)
	for i := range s.Options {
		b.Option("option", i, s.Options[i].Text, s.Options[i].Checked).Long()
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *optionsPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Press, "option") && within(e.Key, len(s.Options)):
		s.Options[e.Key].Checked = !s.Options[e.Key].Checked
	case e.Is(ui.Click, "option"):
		for i := range s.Options {
			s.Options[i].Checked = i == e.Key
		}
	default:
		s.submits(e)
	}
}

// optionsSeveral asks for four of the options.
type optionsSeveral struct{ Words []string }

// Setup implements ui.Job.
func (j *optionsSeveral) Setup(s *optionsPage, t *ui.Task) {
	j.Words = nil
	for _, o := range ui.Draw(t.Rand, s.Options, 4) {
		j.Words = append(j.Words, o.Text)
	}
	t.Say("Select "+listed(j.Words)+" in the list, and submit.",
		"The trip goes to "+listed(j.Words)+". Select these cities and no others, then press Submit.")
}

// Want implements ui.Wanter.
func (j *optionsSeveral) Want(s *optionsPage) {
	for i := range s.Options {
		s.Options[i].Checked = slices.Contains(j.Words, s.Options[i].Text)
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *optionsSeveral) Solve(s *optionsPage, x *ui.Pilot) {
	for i := range s.Options {
		if s.Options[i].Checked != slices.Contains(j.Words, s.Options[i].Text) {
			x.Hold("option", i)
		}
	}
	x.Tap("submit", 0)
}
