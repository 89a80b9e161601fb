package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[boxesPage, boxesNamed](ui.Template{
		Name: "boxes-named", Summary: "check the named boxes and no others", Apps: []string{"boxes"},
		Kind: ui.Several, Level: 1, MaxTurns: 16,
	})
	_ = add[boxesPage, boxesKind](ui.Template{
		Name: "boxes-kind", Summary: "check all boxes that name one kind of thing", Apps: []string{"boxes"},
		Kind: ui.Several, Level: 2, MaxTurns: 18,
	})
	_ = add[boxesPage, boxesMany](ui.Template{
		Name: "boxes-many", Summary: "check many of the boxes of a long list", Apps: []string{"boxes"},
		Kind: ui.Several, Level: 3, MaxTurns: 26,
	})
	_ = add[boxesPage, boxesOnly](ui.Template{
		Name: "boxes-only", Summary: "change a list of boxes so that only the named ones are checked", Apps: []string{"boxes"},
		Kind: ui.Several, Level: 2, MaxTurns: 18, HeldOut: true,
	})
)

// boxesPage is a list of checkboxes with a submit button.
type boxesPage struct {
	Form
	Boxes []box
}

// box is one checkbox.
type box struct {
	Text    string
	Checked bool
}

func (s *boxesPage) fill(r *envs.Rand) {
	*s = boxesPage{Boxes: s.Boxes[:0]}
	s.list(ui.Draw(r, plain, 10))
}

// list makes the page's boxes those of the words.
func (s *boxesPage) list(words []string) {
	s.Boxes = s.Boxes[:0]
	for _, w := range words {
		s.Boxes = append(s.Boxes, box{Text: w})
	}
}

// App implements ui.Sim.
func (s *boxesPage) App() string { return "boxes" }

// View implements ui.Sim.
func (s *boxesPage) View(b *ui.Builder) {
	b.Heading("Choose")
	b.Scroll("boxes", submitHeight)
	for i := range s.Boxes {
		b.Check("box", i, s.Boxes[i].Text, s.Boxes[i].Checked)
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *boxesPage) Update(e ui.Event) {
	if e.Is(ui.Click, "box") && within(e.Key, len(s.Boxes)) {
		s.Boxes[e.Key].Checked = !s.Boxes[e.Key].Checked
	}
	s.submits(e)
}

// wantedBoxes are the boxes that are to be checked.
type wantedBoxes struct{ Words []string }

// Want implements ui.Wanter.
func (j *wantedBoxes) Want(s *boxesPage) {
	for i := range s.Boxes {
		s.Boxes[i].Checked = slices.Contains(j.Words, s.Boxes[i].Text)
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedBoxes) Solve(s *boxesPage, x *ui.Pilot) {
	for i := range s.Boxes {
		if s.Boxes[i].Checked != slices.Contains(j.Words, s.Boxes[i].Text) {
			x.Tap("box", i)
		}
	}
	x.Tap("submit", 0)
}

// boxesNamed asks for some of the boxes.
type boxesNamed struct{ wantedBoxes }

// Setup implements ui.Job.
func (j *boxesNamed) Setup(s *boxesPage, t *ui.Task) {
	j.Words = j.Words[:0]
	for _, b := range ui.Draw(t.Rand, s.Boxes, 5) {
		j.Words = append(j.Words, b.Text)
	}
	t.Say("Check "+listed(j.Words)+", and submit.", "Select the boxes "+listed(j.Words)+" and press Submit.",
		"Of the boxes, choose "+listed(j.Words)+" and no others. Then submit.")
}

// boxesKind asks for the boxes that name fruits, animals, tools or rooms.
type boxesKind struct{ wantedBoxes }

// Setup implements ui.Job.
func (j *boxesKind) Setup(s *boxesPage, t *ui.Task) {
	kinds := [][]string{fruits, animals, tools, rooms, cities}
	names := []string{"fruit", "animal", "tool", "room", "city"}
	order := ui.Draw(t.Rand, []int{0, 1, 2, 3, 4}, 3)
	j.Words = ui.Draw(t.Rand, kinds[order[0]], 5+t.Rand.Intn(2))
	words := append(slices.Clone(j.Words), ui.Draw(t.Rand, kinds[order[1]], 3)...)
	words = append(words, ui.Draw(t.Rand, kinds[order[2]], 3)...)
	s.list(ui.Draw(t.Rand, words, len(words)))
	what := names[order[0]]
	t.Say("Check every box that names a "+what+", and submit.",
		"Select each "+what+" in the list and nothing else, then press Submit.")
}

// boxesMany asks for half of a long list.
type boxesMany struct{ wantedBoxes }

// Setup implements ui.Job.
func (j *boxesMany) Setup(s *boxesPage, t *ui.Task) {
	words := ui.Draw(t.Rand, people, 18)
	s.list(words)
	j.Words = ui.Draw(t.Rand, words, 7+t.Rand.Intn(3))
	t.Say("Check "+listed(j.Words)+", and submit.",
		"These people come along: "+listed(j.Words)+". Select all of them, and press Submit.")
}

// boxesOnly asks for some of the boxes, while others are checked.
type boxesOnly struct{ wantedBoxes }

// Setup implements ui.Job.
func (j *boxesOnly) Setup(s *boxesPage, t *ui.Task) {
	words := ui.Draw(t.Rand, topics, 11)
	s.list(words)
	j.Words = ui.Draw(t.Rand, words, 5)
	for i := range s.Boxes { // five of the eleven are wrong at first, checked or not
		wrong := i%2 == 1
		s.Boxes[i].Checked = slices.Contains(j.Words, s.Boxes[i].Text) != wrong
	}
	t.Say("Change the selection so that only "+listed(j.Words)+" are checked, and submit.",
		"In the end "+listed(j.Words)+" have to be checked and all others not. Submit that.")
}
