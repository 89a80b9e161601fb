package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[carouselPage, carouselFind](ui.Template{
	Name: "carousel-find", Summary: "swipe through pictures and open the named one", Apps: []string{"carousel"},
	Kind: ui.Navigate, Level: 2, MaxTurns: 16, Easy: true,
})

// carouselPage shows one picture at a time: swipes show the others, a click ends the page.
type carouselPage struct {
	Base
	Pictures []string
	At       int `ui:"view"`
	Opened   string
}

func (s *carouselPage) fill(r *envs.Rand) {
	*s = carouselPage{Pictures: ui.Draw(r, animals, 9), At: 4}
}

// App implements ui.Sim.
func (s *carouselPage) App() string { return "carousel" }

// View implements ui.Sim.
func (s *carouselPage) View(b *ui.Builder) {
	b.Heading("Zoo")
	if !within(s.At, len(s.Pictures)) {
		b.Label("There are no pictures.")
		return
	}
	b.Icon("picture", s.At, b.Cat(s.Pictures[s.At], ", picture ", b.Int(s.At+1), " of ", b.Int(len(s.Pictures)))).
		Set(ui.Swipeable, true)
	b.Label("Swipe to the left or right to see the others.")
}

// Update implements ui.Sim.
func (s *carouselPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "picture") && within(e.Key, len(s.Pictures)):
		s.Opened, s.Done = s.Pictures[e.Key], true
	case e.Kind == ui.Swipe && e.Dir == ui.Left:
		s.At = max(0, s.At-1)
	case e.Kind == ui.Swipe && e.Dir == ui.Right:
		s.At = max(0, min(s.At+1, len(s.Pictures)-1))
	}
}

// carouselFind asks for one of the pictures that isn't shown at first.
type carouselFind struct{ Picture string }

// Setup implements ui.Job.
func (j *carouselFind) Setup(s *carouselPage, t *ui.Task) {
	for j.Picture = s.Pictures[s.At]; j.Picture == s.Pictures[s.At]; {
		j.Picture = ui.Pick(t.Rand, s.Pictures)
	}
	t.Say("Find the picture of the "+j.Picture+" and open it.",
		"Swipe through the pictures until the "+j.Picture+" comes up, and click on it.")
}

// Want implements ui.Wanter.
func (j *carouselFind) Want(s *carouselPage) { s.Opened = j.Picture }

// Solve implements ui.Job.
func (j *carouselFind) Solve(s *carouselPage, x *ui.Pilot) {
	switch at := slices.Index(s.Pictures, j.Picture); {
	case s.At < at:
		x.Swipe("picture", s.At, ui.Right)
	case s.At > at:
		x.Swipe("picture", s.At, ui.Left)
	default:
		x.Tap("picture", at)
	}
}
