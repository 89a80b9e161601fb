package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[selectsPage, selectsOne](ui.Template{
		Name: "selects-one", Summary: "choose an option of a closed list", Apps: []string{"selects"},
		Kind: ui.Operate, Level: 1, MaxTurns: 8, Easy: true,
	})
	_ = add[selectsPage, selectsAll](ui.Template{
		Name: "selects-all", Summary: "choose options of three closed lists", Apps: []string{"selects"},
		Kind: ui.Several, Level: 2, MaxTurns: 14,
	})
)

// selectsPage has closed lists, each of which opens over the page.
type selectsPage struct {
	Form
	Lists []question
	Open  int `ui:"view"` // the open list from 1, 0 for none
}

func (s *selectsPage) fill(r *envs.Rand) {
	*s = selectsPage{}
	options := [][]string{cities, people, animals}
	for i, label := range []string{"City", "Guest", "Mascot"} {
		s.Lists = append(s.Lists, question{Text: label, Options: ui.Draw(r, options[i], 9)})
	}
}

// App implements ui.Sim.
func (s *selectsPage) App() string { return "selects" }

// View implements ui.Sim.
func (s *selectsPage) View(b *ui.Builder) {
	b.Heading("Registration")
	for i := range s.Lists {
		b.Select("list", i, s.Lists[i].Text, s.Lists[i].Chosen)
	}
	s.submit(b)
	if !within(s.Open-1, len(s.Lists)) {
		return
	}
	list := &s.Lists[s.Open-1]
	b.Dialog(list.Text)
	b.Scroll("options", 0)
	for i, o := range list.Options {
		b.Option("option", i, o, o == list.Chosen)
	}
	b.End()
}

// Update implements ui.Sim.
func (s *selectsPage) Update(e ui.Event) {
	switch {
	case e.Kind == ui.Back:
		s.Open = 0
	case e.Is(ui.Click, "list"):
		s.Open = e.Key + 1
	case e.Is(ui.Click, "option") && within(s.Open-1, len(s.Lists)):
		if list := &s.Lists[s.Open-1]; within(e.Key, len(list.Options)) {
			list.Chosen, s.Open = list.Options[e.Key], 0
		}
	default:
		s.submits(e)
	}
}

// wantedOptions are the options to choose, list by list.
type wantedOptions struct{ Chosen []string }

// Want implements ui.Wanter.
func (j *wantedOptions) Want(s *selectsPage) {
	for i, c := range j.Chosen {
		s.Lists[i].Chosen = c
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *wantedOptions) Solve(s *selectsPage, x *ui.Pilot) {
	for i := range min(len(s.Lists), len(j.Chosen)) {
		list := &s.Lists[i]
		switch {
		case s.Open != i+1 && (s.Open != 0 || list.Chosen == j.Chosen[i]):
		case s.Open == 0:
			x.Tap("list", i)
		case list.Chosen != j.Chosen[i]:
			for k, o := range list.Options {
				if o == j.Chosen[i] {
					x.Tap("option", k)
				}
			}
		}
	}
	if s.Open == 0 {
		x.Tap("submit", 0)
	}
}

// selectsOne asks for one option of a list that may be anywhere in it.
type selectsOne struct{ wantedOptions }

// Setup implements ui.Job.
func (j *selectsOne) Setup(s *selectsPage, t *ui.Task) {
	s.Lists = s.Lists[:1]
	j.Chosen = []string{ui.Pick(t.Rand, s.Lists[0].Options)}
	t.Say("Choose "+j.Chosen[0]+" as the "+s.Lists[0].Text+" and submit.",
		"Open the list "+quoted(s.Lists[0].Text)+", choose "+quoted(j.Chosen[0])+", and press Submit.")
}

// selectsAll asks for an option of every list.
type selectsAll struct{ wantedOptions }

// Setup implements ui.Job.
func (j *selectsAll) Setup(s *selectsPage, t *ui.Task) {
	j.Chosen = nil
	var parts []string
	for _, list := range s.Lists {
		c := ui.Pick(t.Rand, list.Options)
		j.Chosen = append(j.Chosen, c)
		parts = append(parts, c+" as the "+list.Text)
	}
	t.Say("Choose "+listed(parts)+", and submit.", "Register "+listed(parts)+". Then press Submit.")
}
