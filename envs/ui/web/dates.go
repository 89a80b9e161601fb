package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[datesPage, datesDay](ui.Template{
		Name: "dates-day", Summary: "choose a day in a calendar", Apps: []string{"dates"},
		Kind: ui.Operate, Level: 2, MaxTurns: 14,
	})
	_ = add[datesPage, datesRange](ui.Template{
		Name: "dates-range", Summary: "choose the first and last day of a stay", Apps: []string{"dates"},
		Kind: ui.Several, Level: 3, MaxTurns: 22,
	})
	_ = add[datesPage, datesWeekday](ui.Template{
		Name: "dates-weekday", Summary: "choose a day by its weekday", Apps: []string{"dates"},
		Kind: ui.Operate, Level: 3, MaxTurns: 14, HeldOut: true,
	})
)

// datesPage has dates, each of which is chosen in a calendar of one month.
type datesPage struct {
	Form
	Dates []dated
	Open  int `ui:"view"` // the date being chosen from 1, 0 for none
	Month int `ui:"view"` // that the calendar shows, 0 … 11
}

// dated is a date of the form.
type dated struct {
	Label string
	Day   int // as ui.DayOf's, from 1; 0 for none
}

func (s *datesPage) fill(r *envs.Rand) {
	*s = datesPage{Dates: []dated{{Label: "Date"}}, Month: 2 + r.Intn(8)}
}

// App implements ui.Sim.
func (s *datesPage) App() string { return "dates" }

// View implements ui.Sim.
func (s *datesPage) View(b *ui.Builder) {
	if within(s.Open-1, len(s.Dates)) {
		s.calendar(b, s.Dates[s.Open-1])
		return
	}
	b.Heading("Your visit")
	for i := range s.Dates {
		value := ""
		if s.Dates[i].Day > 0 {
			value = b.Date(s.Dates[i].Day - 1)
		}
		b.Select("date", i, s.Dates[i].Label, value)
	}
	s.submit(b)
}

// calendar shows the month with its days, weeks starting on Mondays.
func (s *datesPage) calendar(b *ui.Builder, d dated) {
	b.Heading(b.Cat(d.Label, ": ", ui.MonthName(s.Month)))
	b.Row(2)
	b.Button("previous", 0, "Previous month").Disable(s.Month <= 0)
	b.Button("next", 0, "Next month").Disable(s.Month >= 11)
	first, days := ui.DayOf(inYear(s.Month), 1), ui.MonthDays(s.Month)
	empty := (first + 3) % 7 // day 0 is a Thursday
	for cell := range empty + days {
		if cell%7 == 0 {
			b.Row(7)
		}
		if day := first + cell - empty; day < first {
			b.Label("")
		} else {
			b.Button("day", day, b.Int(day-first+1)).Describe(b.Date(day)).Select(day+1 == d.Day)
		}
	}
	pad(b, 7, empty+days)
}

// inYear is the month within a year, whatever number it was.
func inYear(month int) int { return (month%12 + 12) % 12 }

// Update implements ui.Sim.
func (s *datesPage) Update(e ui.Event) {
	switch {
	case !within(s.Open-1, len(s.Dates)):
		if s.Open = 0; e.Is(ui.Click, "date") {
			s.Open = e.Key + 1
		}
		s.submits(e)
	case e.Kind == ui.Back:
		s.Open = 0
	case e.Is(ui.Click, "previous"):
		s.Month = max(0, s.Month-1)
	case e.Is(ui.Click, "next"):
		s.Month = min(s.Month+1, 11)
	case e.Is(ui.Click, "day"):
		s.Dates[s.Open-1].Day, s.Open = e.Key+1, 0
	}
}

// wantedDays are the days to choose, date by date, from 1.
type wantedDays struct{ Days []int }

// Want implements ui.Wanter.
func (j *wantedDays) Want(s *datesPage) {
	for i, d := range j.Days {
		s.Dates[i].Day = d
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedDays) Solve(s *datesPage, x *ui.Pilot) {
	for i := range min(len(s.Dates), len(j.Days)) {
		if s.Open == i+1 {
			if s.Dates[i].Day == j.Days[i] {
				x.Back()
			}
			switch month, _ := ui.MonthOf(j.Days[i] - 1); {
			case s.Month < month:
				x.Tap("next", 0)
			case s.Month > month:
				x.Tap("previous", 0)
			default:
				x.Tap("day", j.Days[i]-1)
			}
		}
		if s.Open == 0 && s.Dates[i].Day != j.Days[i] {
			x.Tap("date", i)
		}
	}
	x.Tap("submit", 0)
}

// away is a day two to four months from the month shown, from 1.
func (s *datesPage) away(r *envs.Rand) int {
	by := 2 + r.Intn(3)
	if r.Intn(2) == 0 {
		by = -by
	}
	month := s.Month + by
	if month < 0 || month > 11 {
		month = s.Month - by
	}
	return 1 + ui.DayOf(month, 1+r.Intn(ui.MonthDays(month)))
}

// dayName is a day, from 1, in words: "3 Mar".
func dayName(day int) string {
	month, d := ui.MonthOf(day - 1)
	return strconv.Itoa(d) + " " + ui.MonthName(month)
}

// datesDay asks for one day.
type datesDay struct{ wantedDays }

// Setup implements ui.Job.
func (j *datesDay) Setup(s *datesPage, t *ui.Task) {
	j.Days = []int{s.away(t.Rand)}
	t.Say("Choose "+dayName(j.Days[0])+" as the date and submit.",
		"Set the date to "+dayName(j.Days[0])+" and press Submit.")
}

// datesRange asks for two days.
type datesRange struct{ wantedDays }

// Setup implements ui.Job.
func (j *datesRange) Setup(s *datesPage, t *ui.Task) {
	s.Dates = []dated{{Label: "Arrival"}, {Label: "Departure"}}
	from := min(s.away(t.Rand), 340)
	j.Days = []int{from, from + 2 + t.Rand.Intn(20)}
	a, d := dayName(j.Days[0]), dayName(j.Days[1])
	t.Say("Book from "+a+" to "+d+", and submit.", "Set the arrival to "+a+" and the departure to "+d+". Then press Submit.",
		"I leave on "+d+" and come on "+a+". Enter both days and submit.")
}

// datesWeekday asks for the first, second, third or fourth of a weekday in a month.
type datesWeekday struct{ wantedDays }

// Setup implements ui.Job.
func (j *datesWeekday) Setup(s *datesPage, t *ui.Task) {
	month, _ := ui.MonthOf(s.away(t.Rand) - 1)
	k := t.Rand.Intn(28)
	j.Days = []int{1 + ui.DayOf(month, 1+k)}
	weekday := ui.Weekday(j.Days[0] - 1)
	ordinal := [...]string{"first", "second", "third", "fourth"}[k/7]
	t.Say("Choose the "+ordinal+" "+weekday+" in "+ui.MonthName(month)+" and submit.",
		"The date is the "+ordinal+" "+weekday+" of the month "+ui.MonthName(month)+". Set it and press Submit.")
}
