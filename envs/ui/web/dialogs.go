package web

import (
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[dialogPage, dialogChoose](ui.Template{
		Name: "dialog-choose", Summary: "choose a button of a dialog", Apps: []string{"dialog"},
		Kind: ui.Operate, Level: 1, MaxTurns: 4, Easy: true,
	})
	_ = add[dialogPage, dialogClose](ui.Template{
		Name: "dialog-close", Summary: "close a dialog without choosing anything", Apps: []string{"dialog"},
		Kind: ui.Operate, Level: 1, MaxTurns: 4, Easy: true,
	})
	_ = add[setupPage, setupAnswers](ui.Template{
		Name: "setup-answers", Summary: "answer a series of dialogs", Apps: []string{"setup"},
		Kind: ui.Several, Level: 2, MaxTurns: 14, HeldOut: true,
	})
)

// dialogs are what dialogs ask, with their buttons.
var dialogs = []question{
	{Text: "Save the changes?", Options: []string{"Save", "Discard", "Keep editing"}},
	{Text: "Delete the draft?", Options: []string{"Delete", "Move to trash", "Keep it"}},
	{Text: "Restart the machine?", Options: []string{"Restart", "Tonight", "Remind me"}},
	{Text: "Allow notices?", Options: []string{"Allow", "Only once", "Block"}},
	{Text: "Leave the meeting?", Options: []string{"Leave", "End for all", "Stay"}},
	{Text: "Replace the photo?", Options: []string{"Replace", "Keep both", "Skip"}},
}

// dialogPage is a page under a dialog; the dialog's buttons end it.
type dialogPage struct {
	Base
	Behind []string // words on the page
	Ask    question
	Closed bool // without a choice
}

func (s *dialogPage) fill(r *envs.Rand) {
	*s = dialogPage{Behind: append(s.Behind[:0], ui.Draw(r, topics, 5)...), Ask: ui.Pick(r, dialogs)}
}

// App implements ui.Sim.
func (s *dialogPage) App() string { return "dialog" }

// View implements ui.Sim.
func (s *dialogPage) View(b *ui.Builder) {
	b.Heading("Start")
	for i, w := range s.Behind {
		b.Link("behind", i, w)
	}
	if s.Done {
		return
	}
	b.Dialog(s.Ask.Text)
	for i, o := range s.Ask.Options {
		b.Button("option", i, o)
	}
	b.Icon("close", 0, "Close")
}

// Update implements ui.Sim.
func (s *dialogPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "option") && within(e.Key, len(s.Ask.Options)):
		s.Ask.Chosen, s.Done = s.Ask.Options[e.Key], true
	case e.Is(ui.Click, "close"):
		s.Closed, s.Done = true, true
	}
}

// dialogChoose asks for one of the dialog's buttons.
type dialogChoose struct{ Option string }

// Setup implements ui.Job.
func (j *dialogChoose) Setup(s *dialogPage, t *ui.Task) {
	j.Option = ui.Pick(t.Rand, s.Ask.Options)
	t.Say("Answer the dialog with "+quoted(j.Option)+".", "In the dialog, press "+quoted(j.Option)+".",
		"The page asks: "+quoted(s.Ask.Text)+" Choose "+quoted(j.Option)+".")
}

// Want implements ui.Wanter.
func (j *dialogChoose) Want(s *dialogPage) { s.Ask.Chosen = j.Option }

// Solve implements ui.Job.
func (j *dialogChoose) Solve(s *dialogPage, x *ui.Pilot) {
	for i, o := range s.Ask.Options {
		if o == j.Option {
			x.Tap("option", i)
		}
	}
}

// dialogClose asks to close the dialog.
type dialogClose struct{}

// Setup implements ui.Job.
func (j *dialogClose) Setup(s *dialogPage, t *ui.Task) {
	title := strings.TrimSuffix(s.Ask.Text, "?")
	t.Say("Close the dialog "+quoted(title)+" without choosing an answer.",
		"Get rid of the dialog "+quoted(title)+": close it, don't answer it.")
}

// Want implements ui.Wanter.
func (j *dialogClose) Want(s *dialogPage) { s.Closed = true }

// Solve implements ui.Job.
func (j *dialogClose) Solve(_ *dialogPage, x *ui.Pilot) { x.Tap("close", 0) }

// setupPage asks its questions in one dialog after the other.
type setupPage struct {
	Form
	Ask []question
	At  int `ui:"view"` // the dialog shown; beyond the last: none
}

func (s *setupPage) fill(r *envs.Rand) {
	*s = setupPage{Ask: append(s.Ask[:0], ui.Draw(r, dialogs, 5)...)}
}

// App implements ui.Sim.
func (s *setupPage) App() string { return "setup" }

// View implements ui.Sim.
func (s *setupPage) View(b *ui.Builder) {
	b.Heading("Your answers")
	for i := range s.Ask {
		b.Label(b.Cat(s.Ask[i].Text, " ", s.Ask[i].Chosen))
	}
	b.Button("again", 0, "Ask me again")
	s.submit(b)
	if !within(s.At, len(s.Ask)) {
		return
	}
	q := &s.Ask[s.At]
	b.Dialog(q.Text)
	for i, o := range q.Options {
		b.Button("option", i, o)
	}
	b.Button("previous", 0, "Previous question").Disable(s.At == 0)
}

// Update implements ui.Sim.
func (s *setupPage) Update(e ui.Event) {
	asks := within(s.At, len(s.Ask))
	switch {
	case asks && e.Is(ui.Click, "option") && within(e.Key, len(s.Ask[s.At].Options)):
		s.Ask[s.At].Chosen = s.Ask[s.At].Options[e.Key]
		s.At++
	case asks && e.Is(ui.Click, "previous") && s.At > 0:
		s.At--
	case !asks && e.Is(ui.Click, "again"):
		s.At = 0
	case !asks:
		s.submits(e)
	}
}

// setupAnswers asks for an answer to each dialog.
type setupAnswers struct{ Chosen []string }

// Setup implements ui.Job.
func (j *setupAnswers) Setup(s *setupPage, t *ui.Task) {
	j.Chosen = nil
	for _, q := range s.Ask {
		j.Chosen = append(j.Chosen, ui.Pick(t.Rand, q.Options))
	}
	t.Say("Answer the dialogs with "+listed(j.Chosen)+", in this order, and submit.",
		"Five dialogs come up. Choose "+listed(j.Chosen)+", one after the other. Then press Submit.")
}

// Want implements ui.Wanter.
func (j *setupAnswers) Want(s *setupPage) {
	for i, c := range j.Chosen {
		s.Ask[i].Chosen = c
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *setupAnswers) Solve(s *setupPage, x *ui.Pilot) {
	if !within(s.At, len(s.Ask)) {
		for i := range min(len(s.Ask), len(j.Chosen)) {
			if s.Ask[i].Chosen != j.Chosen[i] {
				x.Tap("again", 0)
			}
		}
		x.Tap("submit", 0)
		return
	}
	for i := range min(s.At, len(j.Chosen)) {
		if s.Ask[i].Chosen != j.Chosen[i] {
			x.Tap("previous", 0)
		}
	}
	for i, o := range s.Ask[s.At].Options {
		if s.At < len(j.Chosen) && o == j.Chosen[s.At] {
			x.Tap("option", i)
		}
	}
}
