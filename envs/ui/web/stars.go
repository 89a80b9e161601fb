package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[starsPage, starsRate](ui.Template{
	Name: "stars-rate", Summary: "rate things with one to five stars", Apps: []string{"stars"},
	Kind: ui.Several, Level: 2, MaxTurns: 10,
})

// mostStars is the best rating.
const mostStars = 5

// starsPage has things to rate; a click on the rating they have takes it back.
type starsPage struct {
	Form
	Rows []amount
}

func (s *starsPage) fill(r *envs.Rand) {
	*s = starsPage{}
	for _, label := range ui.Draw(r, cities, 4) {
		s.Rows = append(s.Rows, amount{Label: label})
	}
}

// App implements ui.Sim.
func (s *starsPage) App() string { return "stars" }

// View implements ui.Sim.
func (s *starsPage) View(b *ui.Builder) {
	b.Heading("How was your stay?")
	for i := range s.Rows {
		row := &s.Rows[i]
		b.Label(row.Label)
		b.Row(mostStars)
		for n := range mostStars {
			b.Button("star", i*keysPerGroup+n+1, b.Int(n+1)).Describe(b.Cat("stars for ", row.Label)).Select(row.Value == n+1)
		}
	}
	s.submit(b)
}

// Update implements ui.Sim.
func (s *starsPage) Update(e ui.Event) {
	if i := e.Key / keysPerGroup; e.Is(ui.Click, "star") && within(i, len(s.Rows)) {
		if n := e.Key % keysPerGroup; s.Rows[i].Value == n {
			s.Rows[i].Value = 0
		} else {
			s.Rows[i].Value = n
		}
	}
	s.submits(e)
}

// starsRate asks for a rating of everything.
type starsRate struct{ Stars []int }

// Setup implements ui.Job.
func (j *starsRate) Setup(s *starsPage, t *ui.Task) {
	j.Stars = make([]int, len(s.Rows))
	var parts []string
	for _, i := range ui.Draw(t.Rand, []int{0, 1, 2, 3}, 4) {
		j.Stars[i] = 1 + t.Rand.Intn(mostStars)
		parts = append(parts, s.Rows[i].Label+" "+strconv.Itoa(j.Stars[i]))
	}
	t.Say("Give stars: "+listed(parts)+". Then submit.", "Rate "+listed(parts)+" of five stars, and press Submit.")
}

// Want implements ui.Wanter.
func (j *starsRate) Want(s *starsPage) {
	for i, n := range j.Stars {
		s.Rows[i].Value = n
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *starsRate) Solve(s *starsPage, x *ui.Pilot) {
	for i := range min(len(j.Stars), len(s.Rows)) {
		switch now, want := s.Rows[i].Value, j.Stars[i]; {
		case now == want:
		case want == 0:
			x.Tap("star", i*keysPerGroup+now)
		default:
			x.Tap("star", i*keysPerGroup+want)
		}
	}
	x.Tap("submit", 0)
}
