package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[addFullEvent](ui.Template{
	Name: "calendar-add-full", Summary: "put a weekly event with place, length and reminder into the calendar", Apps: []string{"calendar"},
	Kind: ui.Create, Level: 3, MaxTurns: 32, HeldOut: true,
})

// addFullEvent asks for an event with all that it can have.
type addFullEvent struct {
	Event Event
	mended
}

// Setup implements ui.Job.
func (a *addFullEvent) Setup(p *Phone, t *ui.Task) {
	r := t.Rand
	k := r.Intn(len(lengths))
	a.Event = Event{Title: fresh(t, eventTitles, p.Calendar.has), Place: ui.Pick(r, places), Day: p.Today + 1 + r.Intn(25),
		Minute: 480 + 5*r.Intn(130), Length: lengths[k], Weekly: true, Remind: ui.Pick(r, reminders[1:])}
	e := &a.Event
	day, at, remind := ui.Date(e.Day), ui.Clock(e.Minute), strings.ToLower(e.Remind)
	t.Say("Add \""+e.Title+"\" to the calendar, every week from "+day+" on: at "+at+", for "+lengthWords[k]+
		", place "+e.Place+", reminder "+remind+".",
		"From "+day+" on I go to \""+e.Title+"\" each week at "+at+" ("+lengthWords[k]+", "+e.Place+"). Add that, and remind me "+remind+".")
	t.Offer(e.Title, e.Place, p.Calendar.Events[0].Title, fresh(t, places, func(s string) bool { return s == e.Place }))
}

// Want implements ui.Wanter.
func (a *addFullEvent) Want(p *Phone) { p.Calendar.put(a.Event) }
