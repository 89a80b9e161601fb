package web

import (
	"slices"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[suggestPage, suggestNamed](ui.Template{
		Name: "autocomplete-named", Summary: "type the start of a name and take the suggestion", Apps: []string{"autocomplete"},
		Kind: ui.Find, Level: 1, MaxTurns: 8, Easy: true,
	})
	_ = add[suggestPage, suggestEnds](ui.Template{
		Name: "autocomplete-ends", Summary: "enter the suggestion with a given start and end", Apps: []string{"autocomplete"},
		Kind: ui.Find, Level: 2, MaxTurns: 8, Easy: true,
	})
)

// suggestPage has a field that suggests cities while one types.
type suggestPage struct {
	Form
	Known []string // what can be suggested
	Typed string
}

func (s *suggestPage) fill(r *envs.Rand) {
	*s = suggestPage{Known: append([]string(nil), cities...)}
	r.Shuffle(len(s.Known), func(i, j int) { s.Known[i], s.Known[j] = s.Known[j], s.Known[i] })
}

// App implements ui.Sim.
func (s *suggestPage) App() string { return "autocomplete" }

// hasPrefix says whether word starts with start, whatever the case.
func hasPrefix(word, start string) bool {
	return len(word) >= len(start) && strings.EqualFold(word[:len(start)], start)
}

// View implements ui.Sim.
func (s *suggestPage) View(b *ui.Builder) {
	b.Field("city", 0, "City", s.Typed)
	s.submit(b)
	if s.Typed == "" {
		return
	}
	b.Scroll("suggestions", 0)
	for i, w := range s.Known {
		if hasPrefix(w, s.Typed) && len(w) > len(s.Typed) {
			b.Option("suggestion", i, w, false)
		}
	}
	b.End()
}

// Update implements ui.Sim.
func (s *suggestPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Input, "city"):
		s.Typed = e.Text
	case e.Is(ui.Click, "suggestion") && within(e.Key, len(s.Known)):
		s.Typed = s.Known[e.Key]
	case e.Is(ui.Enter, "city"):
		s.send()
	default:
		s.submits(e)
	}
}

// wantedCity is the city to enter, and the start of it that finds it.
type wantedCity struct{ City, Start string }

// draw draws a city and offers starts of it and of others.
func (j *wantedCity) draw(t *ui.Task, from []string) {
	j.City = ui.Pick(t.Rand, from)
	j.Start = j.City[:2]
	t.Offer(j.Start)
	for n := 1; n < maxStarts; {
		if start := ui.Pick(t.Rand, cities)[:2]; !slices.Contains(t.Texts, start) {
			t.Offer(start)
			n++
		}
	}
}

// maxStarts is how many starts of words are offered.
const maxStarts = 6

// Want implements ui.Wanter.
func (j *wantedCity) Want(s *suggestPage) { s.Typed, s.Submitted = j.City, true }

// Solve implements ui.Job.
func (j *wantedCity) Solve(s *suggestPage, x *ui.Pilot) {
	switch at := slices.Index(s.Known, j.City); {
	case s.Typed == j.City:
		x.Tap("submit", 0)
	case x.Shows("suggestion", at):
		x.Tap("suggestion", at)
	default:
		x.Type("city", 0, j.Start)
	}
}

// suggestNamed asks for a city by its name.
type suggestNamed struct{ wantedCity }

// Setup implements ui.Job.
func (j *suggestNamed) Setup(_ *suggestPage, t *ui.Task) {
	j.draw(t, cities)
	t.Say("Enter the city "+j.City+" with the help of the suggestions, and submit.",
		"Start to type "+j.City+", take the suggestion, and press Submit.")
}

// suggestEnds asks for a city by its first and last letters.
type suggestEnds struct{ wantedCity }

// Setup implements ui.Job.
func (j *suggestEnds) Setup(_ *suggestPage, t *ui.Task) {
	like := func(city string) int { // how many cities have the same start and end
		n := 0
		for _, c := range cities {
			if c[:2] == city[:2] && c[len(c)-2:] == city[len(city)-2:] {
				n++
			}
		}
		return n
	}
	j.draw(t, slices.DeleteFunc(slices.Clone(cities), func(c string) bool { return like(c) > 1 }))
	end := j.City[len(j.City)-2:]
	t.Say("Enter the city that starts with "+quoted(j.Start)+" and ends with "+quoted(end)+", and submit.",
		"Type "+quoted(j.Start)+", take the suggestion that ends with "+quoted(end)+", and press Submit.")
}
