package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[placesPage, placesNearest](ui.Template{
	Name: "places-nearest", Summary: "get the way to the nearest or farthest place of a kind", Apps: []string{"places"},
	Kind: ui.Navigate, Level: 2, MaxTurns: 10, Easy: true,
})

// placesNearest asks for the way to a place by its kind and distance.
type placesNearest struct {
	Place string
	By    int // one of wayKinds
}

// Setup implements ui.Job.
func (j *placesNearest) Setup(s *placesPage, t *ui.Task) {
	kind, sign, which := ui.Pick(t.Rand, placeKinds), 1, "nearest"
	if t.Rand.Intn(2) == 0 {
		sign, which = -1, "farthest"
	}
	best := place{}
	for _, p := range s.Places {
		if p.Kind == kind && (best.Name == "" || sign*p.Metres < sign*best.Metres) {
			best = p
		}
	}
	j.Place, j.By = best.Name, t.Rand.Intn(len(wayKinds))
	by := strings.ToLower(wayKinds[j.By])
	t.Say("Show me the way to the "+which+" "+strings.ToLower(kind)+" "+by+".", "I go "+by+", to the "+which+" "+strings.ToLower(kind)+": ask the page for the way.")
}

// Want implements ui.Wanter.
func (j *placesNearest) Want(s *placesPage) { s.Way, s.By = j.Place, wayKinds[j.By] }

// Solve implements ui.Job.
func (j *placesNearest) Solve(s *placesPage, x *ui.Pilot) {
	if s.show(x, j.Place) {
		x.Tap("way", j.By)
	}
}
