package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// hotelsPage finds hotels by filters; booking ends the episode.
type hotelsPage struct {
	Base
	Hotels    []hotel
	Towns     []string
	Town      string `ui:"view"` // of the filter, "" for all
	Stars     int    `ui:"view"` // at least
	Breakfast bool   `ui:"view"` // only with breakfast
	Choosing  bool   `ui:"view"` // the list of towns is open
	Open      int    `ui:"view"` // the hotel that is shown from 1, 0 for none
	Draft     stay   `ui:"view"`
	Booked    stay
}

// hotel is one to stay at.
type hotel struct {
	Name, Town string
	Stars      int
	Breakfast  bool
	Cents      int // a night
}

// stay is what is booked.
type stay struct {
	Hotel          string
	Nights, Guests int
}

const hotelStars = 5

func (s *hotelsPage) fill(r *envs.Rand) {
	*s = hotelsPage{Towns: ui.Draw(r, cities, 3)}
	prices := twoDigits(r, 15)
	names := ui.Draw(r, []string{"Anchor", "Bell", "Crown", "Dove", "Eagle", "Forest", "Globe", "Harbour", "Iris", "Jade", "Key", "Lion", "Moon", "North", "Olive"}, 15)
	for i, name := range names {
		s.Hotels = append(s.Hotels, hotel{"Hotel " + name, s.Towns[i%3], 2 + r.Intn(hotelStars-1), r.Intn(2) == 0, prices[i] * 200})
	}
}

// App implements ui.Sim.
func (s *hotelsPage) App() string { return "hotels" }

// View implements ui.Sim.
func (s *hotelsPage) View(b *ui.Builder) {
	if within(s.Open-1, len(s.Hotels)) {
		s.viewHotel(b, &s.Hotels[s.Open-1])
		return
	}
	b.Heading("Hotels")
	b.Row(2)
	b.Select("town", 0, "Town", s.townName())
	b.Check("breakfast", 0, "Breakfast", s.Breakfast)
	b.Row(4)
	for stars := 2; stars <= hotelStars; stars++ {
		b.Tab("stars", stars, b.Cat(b.Int(stars), "+ stars"), s.Stars == stars)
	}
	b.Scroll("hotels", 0)
	for i := range s.Hotels {
		if h := &s.Hotels[i]; s.fits(h) {
			b.Item("hotel", i, b.Cat(h.Name, ", ", h.Town), b.Cat(b.Int(h.Stars), " stars, ", b.Cents(h.Cents), breakfastNote(h)))
		}
	}
	b.End()
	if s.Choosing {
		b.Dialog("Town")
		b.Option("option", 0, "All towns", s.Town == "")
		for i, t := range s.Towns {
			b.Option("option", i+1, t, s.Town == t)
		}
	}
}

func (s *hotelsPage) townName() string {
	if s.Town == "" {
		return "All towns"
	}
	return s.Town
}

func breakfastNote(h *hotel) string {
	if h.Breakfast {
		return ", breakfast"
	}
	return ""
}

// fits says whether the filters let a hotel through.
func (s *hotelsPage) fits(h *hotel) bool {
	return (s.Town == "" || h.Town == s.Town) && h.Stars >= s.Stars && (h.Breakfast || !s.Breakfast)
}

func (s *hotelsPage) viewHotel(b *ui.Builder, h *hotel) {
	b.Heading(h.Name)
	b.Label(b.Cat(h.Town, ", ", b.Int(h.Stars), " stars", breakfastNote(h)))
	b.Label(b.Cat("A night: ", b.Cents(h.Cents)))
	b.Row(3)
	b.Button("nights", -1, "Fewer").Describe("nights").Disable(s.Draft.Nights <= 1)
	b.Label(b.Cat("Nights: ", b.Int(s.Draft.Nights)))
	b.Button("nights", 1, "More").Describe("nights").Disable(s.Draft.Nights >= 14)
	b.Row(3)
	b.Button("guests", -1, "Fewer").Describe("guests").Disable(s.Draft.Guests <= 1)
	b.Label(b.Cat("Guests: ", b.Int(s.Draft.Guests)))
	b.Button("guests", 1, "More").Describe("guests").Disable(s.Draft.Guests >= 6)
	b.Button("book", 0, "Book")
	b.Link("list", 0, "Other hotels")
}

// Update implements ui.Sim.
func (s *hotelsPage) Update(e ui.Event) {
	switch {
	case within(s.Open-1, len(s.Hotels)):
		switch {
		case e.Kind == ui.Back, e.Is(ui.Click, "list"):
			s.Open = 0
		case e.Is(ui.Click, "nights"):
			s.Draft.Nights += e.Key
		case e.Is(ui.Click, "guests"):
			s.Draft.Guests += e.Key
		case e.Is(ui.Click, "book"):
			s.Booked, s.Done = s.Draft, true
		}
	case s.Choosing:
		if e.Is(ui.Click, "option") {
			if s.Town = ""; within(e.Key-1, len(s.Towns)) {
				s.Town = s.Towns[e.Key-1]
			}
		}
		s.Choosing = !e.Is(ui.Click, "option") && e.Kind != ui.Back
	case e.Is(ui.Click, "town"):
		s.Open, s.Choosing = 0, true
	case e.Is(ui.Click, "breakfast"):
		s.Breakfast = !s.Breakfast
	case e.Is(ui.Click, "stars") && s.Stars == e.Key:
		s.Stars = 0
	case e.Is(ui.Click, "stars"):
		s.Stars = e.Key
	case e.Is(ui.Click, "hotel") && within(e.Key, len(s.Hotels)):
		s.Open, s.Draft = e.Key+1, stay{s.Hotels[e.Key].Name, 1, 1}
	}
}

// wantedStay is the stay to book.
type wantedStay struct{ Stay stay }

// Want implements ui.Wanter.
func (j *wantedStay) Want(s *hotelsPage) { s.Booked = j.Stay }

// Solve implements ui.Job.
func (j *wantedStay) Solve(s *hotelsPage, x *ui.Pilot) {
	for i := range s.Hotels {
		if s.Hotels[i].Name != j.Stay.Hotel {
			continue
		}
		d := &s.Draft
		switch {
		case s.Open != 0 && s.Open != i+1:
			x.Tap("list", 0)
		case s.Open == 0:
			s.reveal(i, x)
		case d.Nights < j.Stay.Nights:
			x.Tap("nights", 1)
		case d.Nights > j.Stay.Nights:
			x.Tap("nights", -1)
		case d.Guests < j.Stay.Guests:
			x.Tap("guests", 1)
		case d.Guests > j.Stay.Guests:
			x.Tap("guests", -1)
		default:
			x.Tap("book", 0)
		}
	}
}

// reveal opens a hotel, or drops a filter that hides it.
func (s *hotelsPage) reveal(i int, x *ui.Pilot) {
	h := &s.Hotels[i]
	if s.Choosing {
		for k, t := range s.Towns {
			if t == h.Town {
				x.Tap("option", k+1)
			}
		}
		x.Back()
	}
	x.Tap("hotel", i)
	if s.Town != "" && s.Town != h.Town {
		x.Tap("town", 0)
	}
	if s.Breakfast && !h.Breakfast {
		x.Tap("breakfast", 0)
	}
	x.Tap("stars", s.Stars)
}
