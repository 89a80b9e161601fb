package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[shapesPage, shapesOne](ui.Template{
		Name: "shapes-one", Summary: "click the shape that is described", Apps: []string{"shapes"},
		Kind: ui.Find, Level: 1, MaxTurns: 6, Easy: true,
	})
	_ = add[shapesPage, shapesAll](ui.Template{
		Name: "shapes-all", Summary: "mark all shapes of a form or colour", Apps: []string{"shapes"},
		Kind: ui.Several, Level: 2, MaxTurns: 16,
	})
	_ = add[shapesPage, shapesCount](ui.Template{
		Name: "shapes-count", Summary: "count the shapes of a form or colour", Apps: []string{"shapes"},
		Kind: ui.Find, Level: 2, MaxTurns: 5, Easy: true, HeldOut: true,
	})
)

// shapesPage is a board of shapes that can be marked, or only counted.
type shapesPage struct {
	Form
	Shapes   []shape
	Counting bool // numbers stand below the shapes, in place of the submit button
	Count    int  // the number that was clicked
}

// shape is one shape of the board.
type shape struct {
	Size, Colour, Form string
	Marked             bool
}

var forms = []string{"circle", "square", "triangle", "star"}

func (s *shapesPage) fill(r *envs.Rand) {
	*s = shapesPage{Count: -1}
	for range 12 {
		s.Shapes = append(s.Shapes, shape{
			Size: ui.Pick(r, []string{"small", "large"}), Colour: ui.Pick(r, colours[:4]), Form: ui.Pick(r, forms),
		})
	}
}

// App implements ui.Sim.
func (s *shapesPage) App() string { return "shapes" }

// View implements ui.Sim.
func (s *shapesPage) View(b *ui.Builder) {
	b.Heading("Shapes")
	for i := range s.Shapes {
		if i%4 == 0 {
			b.Row(4)
		}
		shape := &s.Shapes[i]
		desc := b.Cat(shape.Size, " ", shape.Colour, " ", shape.Form)
		if s.Counting {
			b.Picture(desc)
		} else {
			b.Icon("shape", i, desc).Select(shape.Marked)
		}
	}
	pad(b, 4, len(s.Shapes))
	if !s.Counting {
		s.submit(b)
		return
	}
	for n := range len(s.Shapes) + 1 {
		if n%5 == 0 {
			b.Row(5)
		}
		b.Button("number", n, b.Int(n))
	}
	pad(b, 5, len(s.Shapes)+1)
}

// Update implements ui.Sim.
func (s *shapesPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "shape") && within(e.Key, len(s.Shapes)):
		s.Shapes[e.Key].Marked = !s.Shapes[e.Key].Marked
	case e.Is(ui.Click, "number"):
		s.Count = e.Key
		s.send()
	default:
		s.submits(e)
	}
}

// wantedShapes says which shapes are meant; an empty word means any.
type wantedShapes struct{ Size, Colour, Form string }

// draw draws a form or a colour that some of the shapes have, and names it.
func (j *wantedShapes) draw(s *shapesPage, r *envs.Rand) string {
	like := ui.Pick(r, s.Shapes)
	if r.Intn(2) == 0 {
		j.Form = like.Form
		return j.Form + "s"
	}
	j.Colour = like.Colour
	return j.Colour + " shapes"
}

// meant says whether the shape is one of them.
func (j *wantedShapes) meant(s *shape) bool {
	return (j.Size == "" || j.Size == s.Size) && (j.Colour == "" || j.Colour == s.Colour) && (j.Form == "" || j.Form == s.Form)
}

// count is how many are meant.
func (j *wantedShapes) count(s *shapesPage) (n int) {
	for i := range s.Shapes {
		if j.meant(&s.Shapes[i]) {
			n++
		}
	}
	return n
}

// Want implements ui.Wanter.
func (j *wantedShapes) Want(s *shapesPage) {
	if s.Submitted = true; s.Counting {
		s.Count = j.count(s)
		return
	}
	for i := range s.Shapes {
		s.Shapes[i].Marked = j.meant(&s.Shapes[i])
	}
}

// Solve implements ui.Job.
func (j *wantedShapes) Solve(s *shapesPage, x *ui.Pilot) {
	if s.Counting {
		x.Tap("number", j.count(s))
		return
	}
	for i := range s.Shapes {
		if s.Shapes[i].Marked != j.meant(&s.Shapes[i]) {
			x.Tap("shape", i)
		}
	}
	x.Tap("submit", 0)
}

// shapesOne asks for a shape of which there is only one.
type shapesOne struct{ wantedShapes }

// Setup implements ui.Job.
func (j *shapesOne) Setup(s *shapesPage, t *ui.Task) {
	one := ui.Pick(t.Rand, s.Shapes)
	j.Size, j.Colour, j.Form = one.Size, one.Colour, one.Form
	found := false
	for i := range s.Shapes { // others of the kind become of the other size
		switch {
		case !j.meant(&s.Shapes[i]):
		case !found:
			found = true
		case j.Size == "small":
			s.Shapes[i].Size = "large"
		default:
			s.Shapes[i].Size = "small"
		}
	}
	what := j.Size + " " + j.Colour + " " + j.Form
	t.Say("Mark the "+what+" and submit.", "Click on the "+what+", then press Submit.")
}

// shapesAll asks for all shapes of a form or a colour.
type shapesAll struct{ wantedShapes }

// Setup implements ui.Job.
func (j *shapesAll) Setup(s *shapesPage, t *ui.Task) {
	what := j.draw(s, t.Rand)
	for i := 0; j.count(s) < 4; i++ {
		if j.Form != "" {
			s.Shapes[3*i].Form = j.Form
		} else {
			s.Shapes[3*i].Colour = j.Colour
		}
	}
	t.Say("Mark all "+what+" and submit.", "Click on all the "+what+" and on nothing else. Then press Submit.")
}

// shapesCount asks how many shapes of a form or a colour there are.
type shapesCount struct{ wantedShapes }

// Setup implements ui.Job.
func (j *shapesCount) Setup(s *shapesPage, t *ui.Task) {
	s.Counting = true
	what := j.draw(s, t.Rand)
	t.Say("How many "+what+" are there? Click the number.", "Count the "+what+" and click on their number.")
}
