package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[countEvents](ui.Template{
	Name: "calendar-count", Summary: "tell how many events a day has", Apps: []string{"calendar"},
	Kind: ui.Find, Level: 1, MaxTurns: 10, Easy: true,
})

// countEvents asks how much there is to do on a day.
type countEvents struct {
	Day   int
	Count string
}

// Setup implements ui.Job.
func (a *countEvents) Setup(p *Phone, t *ui.Task) {
	c := &p.Calendar
	a.Day = p.Today + 1 + t.Rand.Intn(15)
	for _, e := range ui.Draw(t.Rand, c.Events, 1+t.Rand.Intn(4)) {
		c.event(e.ID).Day = a.Day
	}
	c.sort()
	a.Count = strconv.Itoa(c.count(a.Day))
	day := ui.Date(a.Day)
	t.Say("How many events do I have on "+day+"? Answer with a number.", "Count the events on "+day+" in my calendar and tell me the number.")
	t.Answer("count", a.Count)
	t.Offer("1", "2", "3", "4", "5", "6", "7")
}

// Solve implements ui.Job.
func (a *countEvents) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Count:
		x.Complete()
	case !p.Calendar.lookDay(p, x, a.Day):
		x.Answer(a.Count)
	}
}
