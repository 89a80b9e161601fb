package phone

import "marlpit/envs/ui"

var _ = add[placeEvent](ui.Template{
	Name: "calendar-place", Summary: "change the place of an event", Apps: []string{"calendar"},
	Kind: ui.Edit, Level: 1, MaxTurns: 14,
})

// placeEvent asks for another place of an event.
type placeEvent struct {
	Title, Place string
	mended
}

// Setup implements ui.Job.
func (a *placeEvent) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Calendar.Events)
	a.Title = e.Title
	a.Place = fresh(t, places, func(s string) bool { return s == e.Place })
	t.Say("Change the place of \""+a.Title+"\" to "+a.Place+".", "\""+a.Title+"\" takes place at another location: "+a.Place+". Update the event.")
	t.Offer(a.Place, fresh(t, places, func(s string) bool { return s == a.Place }), a.Title)
}

// Want implements ui.Wanter.
func (a *placeEvent) Want(p *Phone) { p.Calendar.titled(a.Title).Place = a.Place }
