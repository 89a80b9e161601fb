package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// placesPage lists places around where one is; asking for the way to one ends the episode.
type placesPage struct {
	Base
	Places []place
	Kind   int    `ui:"view"` // that is listed from 1, 0 for all
	Open   int    `ui:"view"` // the place that is shown from 1, 0 for none
	Way    string // the place one goes to
	By     string
}

// place is somewhere to go.
type place struct {
	Name, Kind    string
	Metres        int // to go
	Opens, Closes int // in minutes since midnight
	Phone         string
}

var (
	placeKinds = []string{"Café", "Museum", "Pharmacy"}
	wayKinds   = []string{"On foot", "By bicycle", "By bus"}
)

func (s *placesPage) fill(r *envs.Rand) {
	*s = placesPage{}
	metres, phones := twoDigits(r, 12), twoDigits(r, 24)
	names := ui.Draw(r, surnames, 12)
	for i, name := range names {
		s.Places = append(s.Places, place{Name: name + "'s", Kind: placeKinds[i%3], Metres: metres[i] * 20,
			Opens: 420 + 30*r.Intn(7), Closes: 960 + 30*r.Intn(11), Phone: "555 " + strconv.Itoa(phones[2*i]*100+phones[2*i+1])})
	}
	r.Shuffle(len(s.Places), func(i, k int) { s.Places[i], s.Places[k] = s.Places[k], s.Places[i] })
}

// App implements ui.Sim.
func (s *placesPage) App() string { return "places" }

// View implements ui.Sim.
func (s *placesPage) View(b *ui.Builder) {
	if within(s.Open-1, len(s.Places)) {
		p := &s.Places[s.Open-1]
		b.Heading(p.Name)
		b.Label(b.Cat(p.Kind, ", ", b.Int(p.Metres), " metres from here"))
		b.Label(b.Cat("Open from ", b.Clock(p.Opens), " to ", b.Clock(p.Closes)))
		b.Label(b.Cat("Phone: ", p.Phone))
		b.Label("Show me the way")
		b.Row(len(wayKinds))
		for i, w := range wayKinds {
			b.Button("way", i, w)
		}
		b.Link("list", 0, "Other places")
		return
	}
	b.Heading("Around you")
	b.Row(len(placeKinds) + 1)
	b.Tab("kind", 0, "All", s.Kind == 0)
	for i, k := range placeKinds {
		b.Tab("kind", i+1, k, s.Kind == i+1)
	}
	b.Scroll("places", 0)
	for i := range s.Places {
		if p := &s.Places[i]; !within(s.Kind-1, len(placeKinds)) || p.Kind == placeKinds[s.Kind-1] {
			b.Item("place", i, p.Name, b.Cat(p.Kind, ", ", b.Int(p.Metres), " m"))
		}
	}
	b.End()
}

// Update implements ui.Sim.
func (s *placesPage) Update(e ui.Event) {
	if !within(s.Open-1, len(s.Places)) {
		s.Open = 0
		switch {
		case e.Is(ui.Click, "kind"):
			s.Kind = e.Key
		case e.Is(ui.Click, "place"):
			s.Open = e.Key + 1
		}
		return
	}
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "list"):
		s.Open = 0
	case e.Is(ui.Click, "way") && within(e.Key, len(wayKinds)):
		s.Way, s.By, s.Done = s.Places[s.Open-1].Name, wayKinds[e.Key], true
	}
}

// show gets to a place, and says whether it is shown.
func (s *placesPage) show(x *ui.Pilot, name string) bool {
	for i := range s.Places {
		if s.Places[i].Name != name {
			continue
		}
		if s.Open == i+1 {
			return true
		}
		x.Tap("place", i)
	}
	if s.Open != 0 {
		x.Tap("list", 0)
	}
	x.Tap("kind", 0)
	return false
}
