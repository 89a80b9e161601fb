package web

import (
	"strconv"
	"strings"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[clipPage, clipOne](ui.Template{
		Name: "clip-one", Summary: "copy a note into a field", Apps: []string{"clip"},
		Kind: ui.Transfer, Level: 1, MaxTurns: 8, Easy: true,
	})
	_ = add[clipPage, clipTwo](ui.Template{
		Name: "clip-two", Summary: "copy two notes into the fields they belong in", Apps: []string{"clip"},
		Kind: ui.Transfer, Level: 2, MaxTurns: 12,
	})
)

// clipPage has notes to copy and fields to paste into.
type clipPage struct {
	Form
	Notes   []note
	Entries []Entry
	Clip    string `ui:"view"` // what was copied last
}

// note is some text with a title.
type note struct{ Title, Text string }

func (s *clipPage) fill(r *envs.Rand) {
	*s = clipPage{}
	words := ui.Draw(r, plain, 12)
	for i, title := range ui.Draw(r, topics, 3) {
		code := strconv.Itoa(100 + r.Intn(900))
		s.Notes = append(s.Notes, note{title, strings.Join(words[4*i:4*i+3], " ") + " " + code})
	}
}

// App implements ui.Sim.
func (s *clipPage) App() string { return "clip" }

// View implements ui.Sim.
func (s *clipPage) View(b *ui.Builder) {
	for i := range s.Entries {
		b.Field("entry", i, s.Entries[i].Label, s.Entries[i].Value)
		b.Button("paste", i, b.Cat("Paste into ", s.Entries[i].Label)).Disable(s.Clip == "")
	}
	s.submit(b)
	b.Scroll("notes", 0)
	for i := range s.Notes {
		b.Label(s.Notes[i].Title)
		b.Label(s.Notes[i].Text)
		b.Button("copy", i, b.Cat("Copy ", s.Notes[i].Title))
	}
	b.End()
}

// Update implements ui.Sim.
func (s *clipPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "copy") && within(e.Key, len(s.Notes)):
		s.Clip = s.Notes[e.Key].Text
	case e.Is(ui.Click, "paste") && within(e.Key, len(s.Entries)):
		s.Entries[e.Key].Value = s.Clip
	default:
		updateEntries(e, s.Entries)
		s.submits(e)
	}
}

// wantedNotes are the notes to copy, field by field.
type wantedNotes struct{ Notes []note }

// Want implements ui.Wanter.
func (j *wantedNotes) Want(s *clipPage) {
	for i := range j.Notes {
		s.Entries[i].Value = j.Notes[i].Text
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedNotes) Solve(s *clipPage, x *ui.Pilot) {
	for i := range min(len(j.Notes), len(s.Entries)) {
		switch want := j.Notes[i]; {
		case s.Entries[i].Value == want.Text:
		case s.Clip == want.Text:
			x.Tap("paste", i)
		default:
			for k := range s.Notes {
				if s.Notes[k] == want {
					x.Tap("copy", k)
				}
			}
		}
	}
	x.Tap("submit", 0)
}

// clipOne asks for one note.
type clipOne struct{ wantedNotes }

// Setup implements ui.Job.
func (j *clipOne) Setup(s *clipPage, t *ui.Task) {
	s.Entries = []Entry{{Label: "Message"}}
	j.Notes = ui.Draw(t.Rand, s.Notes, 1)
	title := quoted(j.Notes[0].Title)
	t.Say("Copy the note "+title+" into the message and submit.",
		"The message has to be the text of the note "+title+". Copy it, paste it, and press Submit.")
}

// clipTwo asks for two notes in two fields.
type clipTwo struct{ wantedNotes }

// Setup implements ui.Job.
func (j *clipTwo) Setup(s *clipPage, t *ui.Task) {
	names := ui.Draw(t.Rand, people, 2)
	s.Entries = []Entry{{Label: names[0]}, {Label: names[1]}}
	j.Notes = ui.Draw(t.Rand, s.Notes, 2)
	a, b := quoted(j.Notes[0].Title)+" to "+names[0], quoted(j.Notes[1].Title)+" to "+names[1]
	t.Say("Copy the notes "+a+" and "+b+", and submit.", "Paste "+b+" and "+a+". Then press Submit.")
}
