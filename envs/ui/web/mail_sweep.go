package web

import (
	"slices"

	"marlpit/envs/ui"
)

var _ = add[mailPage, mailSweep](ui.Template{
	Name: "mail-sweep", Summary: "delete all mails of a sender", Apps: []string{"mail"},
	Kind: ui.Several, Level: 2, MaxTurns: 18, HeldOut: true,
})

// mailSweep asks to delete all that one sender has sent.
type mailSweep struct{ From string }

// Setup implements ui.Job.
func (j *mailSweep) Setup(s *mailPage, t *ui.Task) {
	j.From = ui.Pick(t.Rand, s.Mails).From
	mine := -1
	for i := range s.Mails {
		if s.Mails[i].From == j.From {
			mine = i
		}
	}
	s.Mails[(mine+1)%len(s.Mails)].From = j.From // never a single one
	t.Say("Delete all mails from "+j.From+", at once.", "Select every mail that "+j.From+" has sent, and delete the selected ones.",
		j.From+" writes too much: throw all those mails away together.")
}

// Want implements ui.Wanter.
func (j *mailSweep) Want(s *mailPage) {
	s.Mails = slices.DeleteFunc(s.Mails, func(m mail) bool { return m.From == j.From })
}

// Solve implements ui.Job.
func (j *mailSweep) Solve(s *mailPage, x *ui.Pilot) {
	switch {
	case s.Writing:
		x.Tap("discard", 0)
	case s.Open != 0:
		x.Tap("inbox", 0)
	case !s.Picking:
		x.Tap("pick", 0)
	}
	for i := range s.Mails {
		if s.Mails[i].Picked != (s.Mails[i].From == j.From) {
			x.Tap("picked", i)
		}
	}
	x.Tap("deletepicked", 0)
}
