package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

// agendaPage is a working week of appointments. Saving one, or calling it off,
// ends the episode.
type agendaPage struct {
	Base
	Monday int           // the day the week starts with
	Dates  []appointment `ui:"set"`
	Day    int           `ui:"view"` // that is shown, 0 … 4
	Open   int           `ui:"view"` // the appointment being edited from 1, 0 for none
	Draft  appointment   `ui:"view"`
}

// appointment is one entry of the week.
type appointment struct {
	Title string
	Day   int // 0 … 4
	Start int // in minutes since midnight
}

// appointments are what appointments are for.
var appointments = []string{"Dentist", "Team lunch", "Budget talk", "Haircut", "Interview", "Fire drill", "Phone call",
	"Yoga", "Workshop", "Handover", "Eye test", "Tea with Ada"}

const agendaDays = 5

func (s *agendaPage) fill(r *envs.Rand) {
	*s = agendaPage{Monday: 4 + 7*(5+r.Intn(40))}
	starts := ui.Draw(r, []int{480, 510, 570, 600, 630, 690, 720, 780, 810, 870, 900, 930, 990}, 9)
	for i, title := range ui.Draw(r, appointments, len(starts)) {
		s.Dates = append(s.Dates, appointment{title, i % agendaDays, starts[i]})
	}
	slices.SortFunc(s.Dates, func(a, b appointment) int { return a.Start - b.Start })
	s.Day = r.Intn(agendaDays)
}

// App implements ui.Sim.
func (s *agendaPage) App() string { return "agenda" }

// View implements ui.Sim.
func (s *agendaPage) View(b *ui.Builder) {
	if s.Open != 0 {
		b.Heading(s.Draft.Title)
		b.Label(b.Cat(b.Date(s.Monday+s.Draft.Day), ", ", b.Clock(s.Draft.Start)))
		b.Row(2)
		b.Button("dayback", 0, "A day earlier").Disable(s.Draft.Day <= 0)
		b.Button("dayon", 0, "A day later").Disable(s.Draft.Day >= agendaDays-1)
		b.Row(2)
		b.Button("back", 0, "30 minutes earlier").Disable(s.Draft.Start < 30)
		b.Button("on", 0, "30 minutes later").Disable(s.Draft.Start >= 1410)
		b.Row(3)
		b.Button("save", 0, "Save")
		b.Button("cancel", 0, "Cancel")
		b.Button("off", 0, "Call off")
		return
	}
	b.Heading("My week")
	b.Row(agendaDays)
	for d := range agendaDays {
		b.Tab("day", d, ui.Weekday(s.Monday+d), s.Day == d)
	}
	b.Label(b.Date(s.Monday + s.Day))
	none := true
	for i := range s.Dates {
		if a := &s.Dates[i]; a.Day == s.Day {
			none = false
			b.Item("date", i, a.Title, b.Clock(a.Start))
		}
	}
	if none {
		b.Label("Nothing on this day")
	}
}

// Update implements ui.Sim.
func (s *agendaPage) Update(e ui.Event) {
	if s.Open != 0 {
		s.edit(e)
		return
	}
	switch {
	case e.Is(ui.Click, "day"):
		s.Day = e.Key
	case e.Is(ui.Click, "date") && within(e.Key, len(s.Dates)):
		s.Open, s.Draft = e.Key+1, s.Dates[e.Key]
	}
}

func (s *agendaPage) edit(e ui.Event) {
	there := within(s.Open-1, len(s.Dates))
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "cancel"):
		s.Open = 0
	case e.Is(ui.Click, "dayback"):
		s.Draft.Day--
	case e.Is(ui.Click, "dayon"):
		s.Draft.Day++
	case e.Is(ui.Click, "back"):
		s.Draft.Start -= 30
	case e.Is(ui.Click, "on"):
		s.Draft.Start += 30
	case e.Is(ui.Click, "save") && there:
		s.Dates[s.Open-1], s.Open, s.Done = s.Draft, 0, true
	case e.Is(ui.Click, "off") && there:
		s.Dates, s.Open, s.Done = slices.Delete(s.Dates, s.Open-1, s.Open), 0, true
	}
}

// at is the place of an appointment by its title, or -1.
func (s *agendaPage) at(title string) int {
	return slices.IndexFunc(s.Dates, func(a appointment) bool { return a.Title == title })
}

// open gets to an appointment, and says whether it is open.
func (s *agendaPage) open(x *ui.Pilot, title string) bool {
	at := s.at(title)
	switch {
	case s.Open != 0 && s.Open != at+1:
		x.Tap("cancel", 0)
	case s.Open == 0 && at >= 0:
		x.Tap("date", at)
		x.Tap("day", s.Dates[at].Day)
	}
	return s.Open == at+1 && at >= 0
}

// wantedDate is where an appointment has to be.
type wantedDate struct{ Date appointment }

// Want implements ui.Wanter.
func (j *wantedDate) Want(s *agendaPage) { s.Dates[s.at(j.Date.Title)] = j.Date }

// Solve implements ui.Job.
func (j *wantedDate) Solve(s *agendaPage, x *ui.Pilot) {
	if !s.open(x, j.Date.Title) {
		return
	}
	switch d, want := &s.Draft, &j.Date; {
	case d.Day < want.Day:
		x.Tap("dayon", 0)
	case d.Day > want.Day:
		x.Tap("dayback", 0)
	case d.Start < want.Start:
		x.Tap("on", 0)
	case d.Start > want.Start:
		x.Tap("back", 0)
	}
	x.Tap("save", 0)
}
