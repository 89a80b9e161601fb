package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[partsPage, partsClick](ui.Template{
	Name: "parts-click", Summary: "click a part of the page by its kind", Apps: []string{"parts"},
	Kind: ui.Operate, Level: 1, MaxTurns: 5, Easy: true,
})

// partsPage has one part of each kind; a click on any ends it.
type partsPage struct {
	Base
	Parts   []part
	Clicked string // the kind of part that was clicked
}

// part is a part of the page.
type part struct{ Kind, Text string }

var partKinds = []string{"button", "checkbox", "field", "link", "radio button", "switch", "slider", "picture"}

func (s *partsPage) fill(r *envs.Rand) {
	*s = partsPage{}
	words := ui.Draw(r, plain, len(partKinds))
	for i, kind := range ui.Draw(r, partKinds, 7) {
		s.Parts = append(s.Parts, part{kind, words[i]})
	}
}

// App implements ui.Sim.
func (s *partsPage) App() string { return "parts" }

// View implements ui.Sim.
func (s *partsPage) View(b *ui.Builder) {
	for i := range s.Parts {
		switch text := s.Parts[i].Text; s.Parts[i].Kind {
		case "checkbox":
			b.Check("part", i, text, false)
		case "field":
			b.Field("part", i, text, "")
		case "link":
			b.Link("part", i, text)
		case "radio button":
			b.Radio("part", i, text, false)
		case "switch":
			b.Switch("part", i, text, false)
		case "slider":
			b.Slider("part", i, text, "5").Set(ui.Clickable, true)
		case "picture":
			b.Icon("part", i, text)
		default:
			b.Button("part", i, text)
		}
	}
}

// Update implements ui.Sim.
func (s *partsPage) Update(e ui.Event) {
	if e.Is(ui.Click, "part") && within(e.Key, len(s.Parts)) {
		s.Clicked, s.Done = s.Parts[e.Key].Kind, true
	}
}

// partsClick asks for a part by its kind.
type partsClick struct{ Kind string }

// Setup implements ui.Job.
func (j *partsClick) Setup(s *partsPage, t *ui.Task) {
	j.Kind = ui.Pick(t.Rand, s.Parts).Kind
	t.Say("Click on the "+j.Kind+".", "There is one "+j.Kind+" on the page. Click on it.")
}

// Want implements ui.Wanter.
func (j *partsClick) Want(s *partsPage) { s.Clicked = j.Kind }

// Solve implements ui.Job.
func (j *partsClick) Solve(s *partsPage, x *ui.Pilot) {
	for i := range s.Parts {
		if s.Parts[i].Kind == j.Kind {
			x.Tap("part", i)
		}
	}
}
