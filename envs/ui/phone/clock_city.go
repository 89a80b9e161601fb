package phone

import "marlpit/envs/ui"

var _ = add[addCity](ui.Template{
	Name: "clock-city", Summary: "add a city's time, which the clock can't show", Apps: []string{"clock"},
	Kind: ui.Infeasible, Level: 1, MaxTurns: 10, Easy: true,
})

// addCity asks for a world clock, which there isn't.
type addCity struct{}

// Setup implements ui.Job.
func (addCity) Setup(_ *Phone, t *ui.Task) {
	city := ui.Pick(t.Rand, []string{"Lima", "Nairobi", "Osaka", "Perth", "Quito", "Oslo"})
	t.Say("Show the local time of "+city+" in the clock app, beside the time here.",
		"Add "+city+" to the world clock.")
	t.Offer(city)
	t.Infeasible = true
}

// Solve implements ui.Job: the last of the tabs has been seen when it is shown.
func (addCity) Solve(p *Phone, x *ui.Pilot) {
	c := &p.Clock
	switch {
	case mend(p, x), away(p, x, "clock"):
	case c.Screen != "":
		x.Back()
	case c.Tab < 2:
		x.Tap("tab", max(0, c.Tab)+1)
	default:
		x.Infeasible()
	}
}
