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
