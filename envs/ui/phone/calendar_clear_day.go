package phone

import "marlpit/envs/ui"

var _ = add[clearDay](ui.Template{
	Name: "calendar-clear-day", Summary: "delete all events of a day", Apps: []string{"calendar"},
	Kind: ui.Several, Level: 3, MaxTurns: 26, HeldOut: true,
})

// clearDay asks to delete the events of one day.
type clearDay struct{ Day int }

// Setup implements ui.Job.
func (a *clearDay) Setup(p *Phone, t *ui.Task) {
	c := &p.Calendar
	a.Day = p.Today + 1 + t.Rand.Intn(15)
	for i, e := range ui.Draw(t.Rand, c.Events, 2+t.Rand.Intn(2)) {
		k := c.event(e.ID)
		k.Day, k.Minute = a.Day, 540+150*i+15*t.Rand.Intn(4)
	}
	c.sort()
	day := ui.Date(a.Day)
	t.Say("I am ill on "+day+". Delete every event of that day.", "Clear my calendar on "+day+": remove all events of the day, and no others.")
	t.Offer(day)
}

// Want implements ui.Wanter.
func (a *clearDay) Want(p *Phone) {
	c := &p.Calendar
	for i := len(c.Events) - 1; i >= 0; i-- {
		if c.Events[i].Day == a.Day {
			c.drop(c.Events[i].ID)
		}
	}
}

// Solve implements ui.Job: the day shows what there is to delete.
func (a *clearDay) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Calendar
	if p.Shown == "calendar" && c.count(a.Day) > 0 && (c.Screen == "" || c.Screen == "agenda") {
		c.lookDay(p, x, a.Day)
		return
	}
	finish(p, x)
}
