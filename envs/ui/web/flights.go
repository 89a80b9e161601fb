package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// flightsPage finds flights and books one.
type flightsPage struct {
	Base
	Flights  []flight
	First    int    // of the days that can be chosen
	From, To string `ui:"view"`
	Day      int    `ui:"view"` // chosen, counted from First; from 1, 0 for none
	Choosing bool   `ui:"view"` // the list of days is open
	Listed   bool   `ui:"view"` // the results are shown
	Open     int    `ui:"view"` // the flight being looked at from 1, 0 for none
	Booked   int    // from 1, 0 for none
}

// flight is one that can be booked.
type flight struct {
	From, To string
	Day      int // counted from First
	Depart   int // in minutes since midnight
	Minutes  int // in the air
	Cents    int
}

// flightDays is the number of days that can be chosen.
const flightDays = 6

func (s *flightsPage) fill(r *envs.Rand) {
	*s = flightsPage{First: 60 + r.Intn(200)}
	towns := ui.Draw(r, cities, 3)
	for _, route := range [][2]int{{0, 1}, {1, 0}, {0, 2}} {
		for _, day := range ui.Draw(r, []int{0, 1, 2, 3, 4, 5}, 3) {
			prices, lengths := twoDigits(r, 5), twoDigits(r, 5)
			for k := range 5 {
				s.Flights = append(s.Flights, flight{From: towns[route[0]], To: towns[route[1]], Day: day,
					Depart: 360 + 180*k + 5*r.Intn(36), Minutes: 60 + 3*lengths[k], Cents: prices[k]*1000 + 900})
			}
		}
	}
}

// App implements ui.Sim.
func (s *flightsPage) App() string { return "flights" }

// View implements ui.Sim.
func (s *flightsPage) View(b *ui.Builder) {
	switch {
	case within(s.Open-1, len(s.Flights)):
		f := &s.Flights[s.Open-1]
		b.Heading(b.Cat(f.From, " to ", f.To))
		b.Label(b.Cat(b.Date(s.First+f.Day), ", ", b.Clock(f.Depart)))
		b.Label(b.Cat("In the air: ", b.Int(f.Minutes), " minutes"))
		b.Label(b.Cat("Price: ", b.Cents(f.Cents)))
		b.Button("book", 0, "Book this flight")
		b.Link("list", 0, "Back to the flights")
	case s.Listed:
		s.viewFlights(b)
	default:
		b.Heading("Swift flights")
		b.Field("from", 0, "From", s.From)
		b.Field("to", 0, "To", s.To)
		b.Select("day", 0, "Day", s.dayName(b))
		b.Button("find", 0, "Find flights")
		if s.Choosing {
			b.Dialog("Day")
			for i := range flightDays {
				b.Option("option", i, b.Date(s.First+i), s.Day == i+1)
			}
		}
	}
}

func (s *flightsPage) dayName(b *ui.Builder) string {
	if s.Day <= 0 {
		return "choose one"
	}
	return b.Date(s.First + s.Day - 1)
}

func (s *flightsPage) viewFlights(b *ui.Builder) {
	b.Heading("Flights")
	b.Link("form", 0, "Change the search")
	b.Scroll("flights", 0)
	none := true
	for i := range s.Flights {
		if f := &s.Flights[i]; s.fits(f) {
			none = false
			b.Item("flight", i, b.Cat(b.Clock(f.Depart), ", ", b.Int(f.Minutes), " minutes"), b.Cents(f.Cents))
		}
	}
	if none {
		b.Label("There are no such flights.")
	}
	b.End()
}

// fits says whether a flight is one that was asked for.
func (s *flightsPage) fits(f *flight) bool {
	return f.From == s.From && f.To == s.To && f.Day == s.Day-1
}

// Update implements ui.Sim.
func (s *flightsPage) Update(e ui.Event) {
	switch {
	case within(s.Open-1, len(s.Flights)):
		switch {
		case e.Kind == ui.Back, e.Is(ui.Click, "list"):
			s.Open = 0
		case e.Is(ui.Click, "book"):
			s.Booked, s.Done = s.Open, true
		}
	case s.Listed:
		s.Open = 0
		switch {
		case e.Kind == ui.Back, e.Is(ui.Click, "form"):
			s.Listed = false
		case e.Is(ui.Click, "flight"):
			s.Open = e.Key + 1
		}
	case s.Choosing:
		if e.Is(ui.Click, "option") {
			s.Day = e.Key + 1
		}
		s.Choosing = !e.Is(ui.Click, "option") && e.Kind != ui.Back
	default:
		s.Open = 0
		switch {
		case e.Is(ui.Input, "from"):
			s.From = e.Text
		case e.Is(ui.Input, "to"):
			s.To = e.Text
		case e.Is(ui.Click, "day"):
			s.Choosing = true
		case e.Is(ui.Click, "find"):
			s.Listed = true
		}
	}
}
