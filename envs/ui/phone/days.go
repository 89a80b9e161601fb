package phone

import "marlpit/envs/ui"

// viewDays covers the screen with a month to choose a day from.
func viewDays(b *ui.Builder, month, chosen int) {
	b.Dialog(ui.MonthName(month))
	b.Row(3)
	b.Icon("month-before", 0, "Month before")
	b.Icon("month-after", 0, "Month after")
	b.Icon("close", 0, "Close")
	first := ui.DayOf(wrap(month), 1)
	for d := range ui.MonthDays(month) {
		if d%7 == 0 {
			b.Row(7)
		}
		b.Button("day", d+1, b.Int(d+1)).Select(first+d == chosen)
	}
}

// updateDays handles what viewDays shows: day is the one chosen, or -1.
func updateDays(e ui.Event, month *int) (day int) {
	switch {
	case e.Is(ui.Click, "month-before"):
		*month = wrap(*month + 11)
	case e.Is(ui.Click, "month-after"):
		*month = wrap(*month + 1)
	case e.Is(ui.Click, "day") && e.Key >= 1 && e.Key <= ui.MonthDays(*month):
		return ui.DayOf(wrap(*month), e.Key)
	}
	return -1
}

// solveDay chooses a day in what viewDays shows.
func solveDay(x *ui.Pilot, month, day int) {
	m, d := ui.MonthOf(day)
	switch ahead := wrap(m - month); {
	case ahead == 0:
		x.Tap("day", d)
	case ahead <= 6:
		x.Tap("month-after", 0)
	default:
		x.Tap("month-before", 0)
	}
}

// monthOf is the month of a day.
func monthOf(day int) int {
	m, _ := ui.MonthOf(day)
	return m
}

// wrap brings any number of months into 0 … 11.
func wrap(month int) int { return (month%12 + 12) % 12 }
