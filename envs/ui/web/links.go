package web

import (
	"strconv"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[linksPage, linkNamed](ui.Template{
		Name: "links-named", Summary: "follow the named link", Apps: []string{"links"},
		Kind: ui.Navigate, Level: 1, MaxTurns: 6, Easy: true,
	})
	_ = add[linksPage, linkSection](ui.Template{
		Name: "links-section", Summary: "follow a link that several sections have", Apps: []string{"links"},
		Kind: ui.Navigate, Level: 2, MaxTurns: 6, Easy: true,
	})
	_ = add[linksPage, linkPosition](ui.Template{
		Name: "links-position", Summary: "follow a link by its place in a section", Apps: []string{"links"},
		Kind: ui.Navigate, Level: 2, MaxTurns: 6, Easy: true, HeldOut: true,
	})
)

// linksPage is a page of links under headings; a click on a link ends it.
type linksPage struct {
	Base
	Sections    []linkGroup
	In, Clicked string // the link that was followed and the section it stands in
}

// linkGroup is a heading with its links.
type linkGroup struct {
	Title string
	Links []string
}

// keysPerGroup is how many keys each group of widgets has for its members.
const keysPerGroup = 100

func (s *linksPage) fill(r *envs.Rand) {
	*s = linksPage{Sections: s.Sections[:0]}
	words := ui.Draw(r, plain, 9)
	shared := ui.Draw(r, []string{"more", "archive", "contact", "help"}, 2)
	for i, title := range ui.Draw(r, topics, 3) {
		links := append(append([]string(nil), words[3*i:3*i+3]...), shared...)
		s.Sections = append(s.Sections, linkGroup{title, ui.Draw(r, links, len(links))})
	}
}

// App implements ui.Sim.
func (s *linksPage) App() string { return "links" }

// View implements ui.Sim.
func (s *linksPage) View(b *ui.Builder) {
	b.Scroll("page", 0)
	for i := range s.Sections {
		section := &s.Sections[i]
		b.Heading(section.Title)
		for k, link := range section.Links {
			b.Link("link", i*keysPerGroup+k, link)
		}
	}
	b.End()
}

// Update implements ui.Sim.
func (s *linksPage) Update(e ui.Event) {
	i, k := e.Key/keysPerGroup, e.Key%keysPerGroup
	if e.Is(ui.Click, "link") && within(i, len(s.Sections)) && within(k, len(s.Sections[i].Links)) {
		s.In, s.Clicked, s.Done = s.Sections[i].Title, s.Sections[i].Links[k], true
	}
}

// wantedLink is the link that is asked for.
type wantedLink struct{ In, Link string }

// draw draws a section and one of its links, and returns its place from 0.
func (j *wantedLink) draw(s *linksPage, r *envs.Rand) int {
	section := ui.Pick(r, s.Sections)
	k := r.Intn(len(section.Links))
	j.In, j.Link = section.Title, section.Links[k]
	return k
}

// Want implements ui.Wanter.
func (j *wantedLink) Want(s *linksPage) { s.In, s.Clicked = j.In, j.Link }

// Solve implements ui.Job.
func (j *wantedLink) Solve(s *linksPage, x *ui.Pilot) {
	for i := range s.Sections {
		for k, link := range s.Sections[i].Links {
			if s.Sections[i].Title == j.In && link == j.Link {
				x.Tap("link", i*keysPerGroup+k)
			}
		}
	}
}

// linkNamed asks for a link that is on the page once.
type linkNamed struct{ wantedLink }

// Setup implements ui.Job.
func (j *linkNamed) Setup(s *linksPage, t *ui.Task) {
	for once := false; !once; {
		j.draw(s, t.Rand)
		n := 0
		for _, section := range s.Sections {
			for _, link := range section.Links {
				if link == j.Link {
					n++
				}
			}
		}
		once = n == 1
	}
	t.Say("Click on the link "+quoted(j.Link)+".", "Follow the link that says "+quoted(j.Link)+".",
		"Find "+quoted(j.Link)+" on the page and click it.")
}

// linkSection asks for a link by its words and its section.
type linkSection struct{ wantedLink }

// Setup implements ui.Job.
func (j *linkSection) Setup(s *linksPage, t *ui.Task) {
	j.draw(s, t.Rand)
	t.Say("Under "+quoted(j.In)+", click on the link "+quoted(j.Link)+".",
		"Follow "+quoted(j.Link)+" in the section "+quoted(j.In)+".")
}

// linkPosition asks for a link by its section and its place there.
type linkPosition struct{ wantedLink }

// Setup implements ui.Job.
func (j *linkPosition) Setup(s *linksPage, t *ui.Task) {
	k := j.draw(s, t.Rand)
	ordinal := [...]string{"first", "second", "third", "fourth", "fifth"}[k]
	t.Say("Click on the "+ordinal+" link under "+quoted(j.In)+".",
		"Follow link number "+strconv.Itoa(k+1)+" of the section "+quoted(j.In)+".")
}
