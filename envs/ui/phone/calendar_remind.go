package phone

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[remindEvent](ui.Template{
	Name: "calendar-remind", Summary: "set the reminder of an event", Apps: []string{"calendar"},
	Kind: ui.Setting, Level: 1, MaxTurns: 14,
})

// remindEvent asks for a reminder.
type remindEvent struct {
	Title, Remind string
	mended
}

// Setup implements ui.Job.
func (a *remindEvent) Setup(p *Phone, t *ui.Task) {
	e := ui.Pick(t.Rand, p.Calendar.Events)
	a.Title = e.Title
	a.Remind = fresh(t, reminders[1:], func(s string) bool { return s == e.Remind })
	when := strings.ToLower(a.Remind)
	t.Say("Remind me "+when+" the event \""+a.Title+"\".", "Set the reminder of \""+a.Title+"\" to "+when+".")
	t.Offer(a.Title)
}

// Want implements ui.Wanter.
func (a *remindEvent) Want(p *Phone) { p.Calendar.titled(a.Title).Remind = a.Remind }
