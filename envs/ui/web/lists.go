package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[listsPage, listsMove](ui.Template{
	Name: "lists-move", Summary: "move names between two lists", Apps: []string{"lists"},
	Kind: ui.Transfer, Level: 2, MaxTurns: 12,
})

// listsPage has two lists; a click moves a name to the other one.
type listsPage struct {
	Form
	Here  []string `ui:"set"`
	There []string `ui:"set"`
}

func (s *listsPage) fill(r *envs.Rand) {
	names := ui.Draw(r, people, 9)
	*s = listsPage{Here: names[:6:6], There: names[6:]}
}

// App implements ui.Sim.
func (s *listsPage) App() string { return "lists" }

// View implements ui.Sim.
func (s *listsPage) View(b *ui.Builder) {
	b.Row(2)
	b.Label("Staying")
	b.Label("Travelling")
	b.Scroll("lists", submitHeight)
	for i := range max(len(s.Here), len(s.There)) {
		b.Row(2)
		if i < len(s.Here) {
			b.Item("here", i, s.Here[i], "stays")
		} else {
			b.Label("")
		}
		if i < len(s.There) {
			b.Item("there", i, s.There[i], "travels")
		} else {
			b.Label("")
		}
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *listsPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "here") && within(e.Key, len(s.Here)):
		s.There = append(s.There, s.Here[e.Key])
		s.Here = slices.Delete(s.Here, e.Key, e.Key+1)
	case e.Is(ui.Click, "there") && within(e.Key, len(s.There)):
		s.Here = append(s.Here, s.There[e.Key])
		s.There = slices.Delete(s.There, e.Key, e.Key+1)
	default:
		s.submits(e)
	}
}

// listsMove asks for names to change lists.
type listsMove struct{ Here, There []string }

// Setup implements ui.Job.
func (j *listsMove) Setup(s *listsPage, t *ui.Task) {
	leave, back := ui.Draw(t.Rand, s.Here, 3), ui.Draw(t.Rand, s.There, 2)
	stays := func(names, out, in []string) []string {
		return append(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(out, n) }), in...)
	}
	j.Here, j.There = stays(s.Here, leave, back), stays(s.There, back, leave)
	t.Say("Move "+listed(leave)+" to the list Travelling, "+listed(back)+" to the list Staying, and submit.",
		listed(back)+" stay after all, but "+listed(leave)+" travel. Change the lists and press Submit.")
}

// Want implements ui.Wanter.
func (j *listsMove) Want(s *listsPage) {
	s.Here, s.There, s.Submitted = append(s.Here[:0], j.Here...), append(s.There[:0], j.There...), true
}

// Solve implements ui.Job.
func (j *listsMove) Solve(s *listsPage, x *ui.Pilot) {
	for i, n := range s.Here {
		if slices.Contains(j.There, n) {
			x.Tap("here", i)
		}
	}
	for i, n := range s.There {
		if slices.Contains(j.Here, n) {
			x.Tap("there", i)
		}
	}
	x.Tap("submit", 0)
}
