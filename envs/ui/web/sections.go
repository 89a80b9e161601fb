package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[sectionsPage, sectionsLink](ui.Template{
		Name: "sections-link", Summary: "follow a link of a collapsed section", Apps: []string{"sections"},
		Kind: ui.Navigate, Level: 1, MaxTurns: 8, Easy: true,
	})
	_ = add[sectionsPage, sectionsOpen](ui.Template{
		Name: "sections-open", Summary: "leave exactly the named sections open", Apps: []string{"sections"},
		Kind: ui.Setting, Level: 2, MaxTurns: 14, Easy: true,
	})
)

// sectionsPage has sections that open and close.
type sectionsPage struct {
	Form
	Sections    []section
	In, Clicked string // the link that was followed and its section
}

// section is a part of the page that shows its links while it is open.
type section struct {
	Title string
	Links []string
	Open  bool
}

func (s *sectionsPage) fill(r *envs.Rand) {
	*s = sectionsPage{}
	words := ui.Draw(r, plain, 21)
	for i, title := range ui.Draw(r, rooms, 7) {
		s.Sections = append(s.Sections, section{Title: title, Links: words[3*i : 3*i+3]})
	}
}

// App implements ui.Sim.
func (s *sectionsPage) App() string { return "sections" }

// View implements ui.Sim.
func (s *sectionsPage) View(b *ui.Builder) {
	b.Heading("Contents")
	b.Scroll("sections", submitHeight)
	for i := range s.Sections {
		section := &s.Sections[i]
		if !section.Open {
			b.Item("section", i, section.Title, "closed")
			continue
		}
		b.Item("section", i, section.Title, "open")
		for k, link := range section.Links {
			b.Link("link", i*keysPerGroup+k, link)
		}
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *sectionsPage) Update(e ui.Event) {
	i, k := e.Key/keysPerGroup, e.Key%keysPerGroup
	switch {
	case e.Is(ui.Click, "section") && within(e.Key, len(s.Sections)):
		s.Sections[e.Key].Open = !s.Sections[e.Key].Open
	case e.Is(ui.Click, "link") && within(i, len(s.Sections)) && within(k, len(s.Sections[i].Links)):
		s.In, s.Clicked, s.Done = s.Sections[i].Title, s.Sections[i].Links[k], true
	default:
		s.submits(e)
	}
}

// sectionsLink asks for a link of one of the sections, whichever are open.
type sectionsLink struct{ In, Link string }

// Setup implements ui.Job.
func (j *sectionsLink) Setup(s *sectionsPage, t *ui.Task) {
	in := ui.Pick(t.Rand, s.Sections)
	j.In, j.Link = in.Title, ui.Pick(t.Rand, in.Links)
	t.Say("Open the section "+quoted(j.In)+" and click on "+quoted(j.Link)+".",
		"Under "+quoted(j.In)+" there is a link "+quoted(j.Link)+": follow it.")
}

// Check implements ui.Checker.
func (j *sectionsLink) Check(s *sectionsPage) string {
	switch {
	case s.Clicked == "":
		return "no link was followed"
	case s.In != j.In || s.Clicked != j.Link:
		return "another link was followed"
	}
	return ""
}

// Solve implements ui.Job.
func (j *sectionsLink) Solve(s *sectionsPage, x *ui.Pilot) {
	for i := range s.Sections {
		if s.Sections[i].Title != j.In {
			continue
		}
		if !s.Sections[i].Open {
			x.Tap("section", i)
		}
		x.Tap("link", i*keysPerGroup+slices.Index(s.Sections[i].Links, j.Link))
	}
}

// sectionsOpen asks for some of the sections to be open.
type sectionsOpen struct{ Open []string }

// Setup implements ui.Job.
func (j *sectionsOpen) Setup(s *sectionsPage, t *ui.Task) {
	j.Open = nil
	for _, section := range ui.Draw(t.Rand, s.Sections, 3) {
		j.Open = append(j.Open, section.Title)
	}
	s.Sections[t.Rand.Intn(len(s.Sections))].Open = true
	t.Say("Leave only the sections "+listed(j.Open)+" open, and submit.",
		"Open "+listed(j.Open)+", close all other sections, then press Submit.")
}

// Want implements ui.Wanter.
func (j *sectionsOpen) Want(s *sectionsPage) {
	for i := range s.Sections {
		s.Sections[i].Open = slices.Contains(j.Open, s.Sections[i].Title)
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *sectionsOpen) Solve(s *sectionsPage, x *ui.Pilot) {
	for i := range s.Sections {
		if s.Sections[i].Open != slices.Contains(j.Open, s.Sections[i].Title) {
			x.Tap("section", i)
		}
	}
	x.Tap("submit", 0)
}
