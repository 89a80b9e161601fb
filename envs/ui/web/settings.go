package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// settingsPage has the settings of an account on three tabs.
type settingsPage struct {
	Form
	Tabs []settingsTab
	Tab  int `ui:"view"` // that is shown
	Open int `ui:"view"` // the setting whose list is open from 1, 0 for none
}

// settingsTab is one group of settings.
type settingsTab struct {
	Title    string
	Switches []settingsSwitch
	Lists    []question
}

// settingsSwitch is on or off.
type settingsSwitch struct {
	Text string
	On   bool
}

// settingsOf are the groups, with their switches and lists.
var settingsOf = []struct {
	title    string
	switches []string
	lists    []question
}{
	{"Notices", []string{"Mail notices", "Sounds", "Weekly report", "News of friends"},
		[]question{{Text: "How often", Options: []string{"At once", "Hourly", "Daily", "Never"}}}},
	{"Privacy", []string{"Public profile", "Show my town", "Show when I am here", "Let others find me"},
		[]question{{Text: "Who may write", Options: []string{"Everybody", "Friends", "Nobody"}}}},
	{"Display", []string{"Dark colours", "Large letters", "Pictures", "Moving images"},
		[]question{{Text: "Language", Options: []string{"English", "German", "French", "Turkish", "Polish"}}}},
}

func (s *settingsPage) fill(r *envs.Rand) {
	*s = settingsPage{}
	for _, of := range settingsOf {
		tab := settingsTab{Title: of.title}
		for _, text := range of.switches {
			tab.Switches = append(tab.Switches, settingsSwitch{text, r.Intn(2) == 0})
		}
		for _, q := range of.lists {
			q.Chosen = ui.Pick(r, q.Options)
			tab.Lists = append(tab.Lists, q)
		}
		s.Tabs = append(s.Tabs, tab)
	}
}

// App implements ui.Sim.
func (s *settingsPage) App() string { return "settings" }

// View implements ui.Sim.
func (s *settingsPage) View(b *ui.Builder) {
	b.Heading("Settings")
	b.Row(max(1, len(s.Tabs)))
	for i := range s.Tabs {
		b.Tab("tab", i, s.Tabs[i].Title, s.Tab == i)
	}
	if !within(s.Tab, len(s.Tabs)) {
		return
	}
	tab := &s.Tabs[s.Tab]
	for i := range tab.Switches {
		b.Switch("switch", i, tab.Switches[i].Text, tab.Switches[i].On)
	}
	for i := range tab.Lists {
		b.Select("list", i, tab.Lists[i].Text, tab.Lists[i].Chosen)
	}
	b.Button("submit", 0, "Save")
	if within(s.Open-1, len(tab.Lists)) {
		list := &tab.Lists[s.Open-1]
		viewOptions(b, list.Text, list.Options, list.Chosen)
	}
}

// Update implements ui.Sim.
func (s *settingsPage) Update(e ui.Event) {
	if e.Is(ui.Click, "tab") {
		s.Tab, s.Open = e.Key, 0
	}
	if !within(s.Tab, len(s.Tabs)) {
		return
	}
	switch tab := &s.Tabs[s.Tab]; {
	case within(s.Open-1, len(tab.Lists)):
		if list := &tab.Lists[s.Open-1]; e.Is(ui.Click, "option") && within(e.Key, len(list.Options)) {
			list.Chosen, s.Open = list.Options[e.Key], 0
		}
		if e.Kind == ui.Back {
			s.Open = 0
		}
	case e.Is(ui.Click, "switch") && within(e.Key, len(tab.Switches)):
		tab.Switches[e.Key].On = !tab.Switches[e.Key].On
	case e.Is(ui.Click, "list"):
		s.Open = e.Key + 1
	default:
		s.submits(e)
	}
}

// wantedSettings is how the settings have to be.
type wantedSettings struct{ Tabs []settingsTab }

// start makes what is wanted what the page has; the caller changes it.
func (j *wantedSettings) start(s *settingsPage) {
	from, to := settingsPage{Tabs: s.Tabs}, settingsPage{}
	ui.Copy(&to, &from)
	j.Tabs = to.Tabs
}

// Want implements ui.Wanter.
func (j *wantedSettings) Want(s *settingsPage) { s.Tabs, s.Submitted = j.Tabs, true }

// Solve implements ui.Job.
func (j *wantedSettings) Solve(s *settingsPage, x *ui.Pilot) {
	if !within(s.Tab, len(s.Tabs)) || len(s.Tabs) != len(j.Tabs) {
		x.Tap("tab", 0)
		return
	}
	j.solveTab(&s.Tabs[s.Tab], &j.Tabs[s.Tab], s.Open-1, x)
	for i := range s.Tabs {
		if !ui.Equal(&s.Tabs[i], &j.Tabs[i]) && i != s.Tab {
			x.Tap("tab", i)
		}
	}
	x.Tap("submit", 0)
}

// solveTab puts the tab that is shown right.
func (j *wantedSettings) solveTab(tab, want *settingsTab, open int, x *ui.Pilot) {
	for i := range min(len(tab.Lists), len(want.Lists)) {
		switch c := want.Lists[i].Chosen; {
		case i != open:
		case tab.Lists[i].Chosen == c:
			x.Back()
		default:
			tapOption(x, tab.Lists[i].Options, c)
		}
	}
	for i := range min(len(tab.Switches), len(want.Switches)) {
		if tab.Switches[i].On != want.Switches[i].On {
			x.Tap("switch", i)
		}
	}
	for i := range min(len(tab.Lists), len(want.Lists)) {
		if tab.Lists[i].Chosen != want.Lists[i].Chosen {
			x.Tap("list", i)
		}
	}
}

// wish is what a goal says of a switch.
func (w *settingsSwitch) wish() string {
	if w.On {
		return quoted(w.Text) + " on"
	}
	return quoted(w.Text) + " off"
}
