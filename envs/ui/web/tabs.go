package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[tabsPage, tabsItem](ui.Template{
		Name: "tabs-item", Summary: "click a word on a given tab", Apps: []string{"tabs"},
		Kind: ui.Navigate, Level: 1, MaxTurns: 6, Easy: true,
	})
	_ = add[tabsPage, tabsFind](ui.Template{
		Name: "tabs-find", Summary: "find the tab that has a word and click it", Apps: []string{"tabs"},
		Kind: ui.Navigate, Level: 2, MaxTurns: 9, Easy: true, HeldOut: true,
	})
)

// tabsPage has tabs with links on each; a click on a link ends it.
type tabsPage struct {
	Base
	Tabs        []linkGroup
	Shown       int `ui:"view"`
	In, Clicked string
}

func (s *tabsPage) fill(r *envs.Rand) {
	*s = tabsPage{}
	words := ui.Draw(r, plain, 24)
	for i, title := range ui.Draw(r, topics, 4) {
		s.Tabs = append(s.Tabs, linkGroup{title, words[6*i : 6*i+6]})
	}
	s.Shown = r.Intn(len(s.Tabs))
}

// App implements ui.Sim.
func (s *tabsPage) App() string { return "tabs" }

// View implements ui.Sim.
func (s *tabsPage) View(b *ui.Builder) {
	if len(s.Tabs) > 0 {
		b.Row(len(s.Tabs))
	}
	for i := range s.Tabs {
		b.Tab("tab", i, s.Tabs[i].Title, s.Shown == i)
	}
	if !within(s.Shown, len(s.Tabs)) {
		b.Label("Choose a tab.")
		return
	}
	b.Heading(s.Tabs[s.Shown].Title)
	for k, link := range s.Tabs[s.Shown].Links {
		b.Link("link", k, link)
	}
}

// Update implements ui.Sim.
func (s *tabsPage) Update(e ui.Event) {
	switch {
	case e.Is(ui.Click, "tab"):
		s.Shown = e.Key
	case e.Is(ui.Click, "link") && within(s.Shown, len(s.Tabs)) && within(e.Key, len(s.Tabs[s.Shown].Links)):
		s.In, s.Clicked, s.Done = s.Tabs[s.Shown].Title, s.Tabs[s.Shown].Links[e.Key], true
	}
}

// wantedItem is the word that is asked for and the tab it is on.
type wantedItem struct{ In, Word string }

func (j *wantedItem) draw(s *tabsPage, r *envs.Rand) {
	tab := ui.Pick(r, s.Tabs)
	j.In, j.Word = tab.Title, ui.Pick(r, tab.Links)
}

// Want implements ui.Wanter.
func (j *wantedItem) Want(s *tabsPage) { s.In, s.Clicked = j.In, j.Word }

// Solve implements ui.Job.
func (j *wantedItem) Solve(s *tabsPage, x *ui.Pilot) {
	for i := range s.Tabs {
		if s.Tabs[i].Title != j.In {
			continue
		}
		if s.Shown != i {
			x.Tap("tab", i)
		}
		for k, link := range s.Tabs[i].Links {
			if link == j.Word {
				x.Tap("link", k)
			}
		}
	}
}

// tabsItem asks for a word whose tab is known.
type tabsItem struct{ wantedItem }

// Setup implements ui.Job.
func (j *tabsItem) Setup(s *tabsPage, t *ui.Task) {
	j.draw(s, t.Rand)
	t.Say("On the tab "+quoted(j.In)+", click "+quoted(j.Word)+".",
		"Switch to "+quoted(j.In)+" and follow the link "+quoted(j.Word)+".")
}

// tabsFind asks for a word whose tab has to be found.
type tabsFind struct{ wantedItem }

// Setup implements ui.Job.
func (j *tabsFind) Setup(s *tabsPage, t *ui.Task) {
	j.draw(s, t.Rand)
	t.Say("Find the link "+quoted(j.Word)+" on one of the tabs and click it.",
		"One of the tabs has "+quoted(j.Word)+": click it there.")
}
