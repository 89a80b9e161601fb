package web

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

var (
	_ = add[menusPage, menuEntry](ui.Template{
		Name: "menus-entry", Summary: "choose an entry of a menu", Apps: []string{"menus"},
		Kind: ui.Navigate, Level: 1, MaxTurns: 6, Easy: true,
	})
	_ = add[menusPage, menuNested](ui.Template{
		Name: "menus-nested", Summary: "choose an entry of a menu within a menu", Apps: []string{"menus"},
		Kind: ui.Navigate, Level: 2, MaxTurns: 8, Easy: true,
	})
)

// menusPage has a bar of menus, some of whose entries open another menu.
type menusPage struct {
	Base
	Menus []menu
	Open  int    `ui:"view"` // the open menu from 1, 0 for none
	Sub   int    `ui:"view"` // its entry that is opened from 1, 0 for none
	Menu  string // the choice: its menu,
	Entry string // the entry there,
	Leaf  string // and the entry's own, if any
}

// menu is a menu of the bar.
type menu struct {
	Title   string
	Entries []menuItem
}

// menuItem is an entry; one with a menu of its own opens it.
type menuItem struct {
	Text string
	Sub  []string
}

func (s *menusPage) fill(r *envs.Rand) {
	*s = menusPage{}
	words := ui.Draw(r, plain, 15)
	for i, title := range ui.Draw(r, []string{"File", "Edit", "View", "Tools", "Insert", "Window"}, 3) {
		m := menu{Title: title}
		nested := r.Intn(3)
		for k, w := range words[5*i : 5*i+3] {
			item := menuItem{Text: w}
			if k == nested {
				item.Sub = append(item.Sub, words[5*i+3:5*i+5]...)
				item.Sub = append(item.Sub, "other")
			}
			m.Entries = append(m.Entries, item)
		}
		m.Entries = append(m.Entries, menuItem{Text: "Options"})
		s.Menus = append(s.Menus, m)
	}
}

// App implements ui.Sim.
func (s *menusPage) App() string { return "menus" }

// open is the open menu, or nil.
func (s *menusPage) open() *menu {
	if within(s.Open-1, len(s.Menus)) {
		return &s.Menus[s.Open-1]
	}
	return nil
}

// View implements ui.Sim.
func (s *menusPage) View(b *ui.Builder) {
	if len(s.Menus) > 0 {
		b.Row(len(s.Menus))
	}
	for i := range s.Menus {
		b.Button("menu", i, s.Menus[i].Title).Select(s.Open == i+1)
	}
	m := s.open()
	if m == nil {
		b.Label("No menu is open.")
		return
	}
	b.Scroll("entries", 0)
	for i := range m.Entries {
		entry := &m.Entries[i]
		if len(entry.Sub) == 0 {
			b.Option("entry", i, entry.Text, false)
			continue
		}
		b.Option("entry", i, b.Cat(entry.Text, " ..."), s.Sub == i+1)
		if s.Sub != i+1 {
			continue
		}
		for k, leaf := range entry.Sub {
			b.Option("leaf", k, leaf, false).Describe(b.Cat("in ", entry.Text))
		}
	}
	b.End()
}

// Update implements ui.Sim.
func (s *menusPage) Update(e ui.Event) {
	m := s.open()
	switch {
	case e.Is(ui.Click, "menu"):
		if s.Sub = 0; s.Open == e.Key+1 {
			s.Open = 0
		} else {
			s.Open = e.Key + 1
		}
	case e.Kind == ui.Back:
		s.Open, s.Sub = 0, 0
	case m == nil: // what follows is in the open menu
	case e.Is(ui.Click, "entry") && within(e.Key, len(m.Entries)):
		switch entry := &m.Entries[e.Key]; {
		case len(entry.Sub) == 0:
			s.Menu, s.Entry, s.Done = m.Title, entry.Text, true
		case s.Sub == e.Key+1:
			s.Sub = 0
		default:
			s.Sub = e.Key + 1
		}
	case e.Is(ui.Click, "leaf") && within(s.Sub-1, len(m.Entries)) && within(e.Key, len(m.Entries[s.Sub-1].Sub)):
		entry := &m.Entries[s.Sub-1]
		s.Menu, s.Entry, s.Leaf, s.Done = m.Title, entry.Text, entry.Sub[e.Key], true
	}
}

// wantedChoice is the way to an entry.
type wantedChoice struct{ Menu, Entry, Leaf string }

// draw draws an entry that has a menu of its own, or has none.
func (j *wantedChoice) draw(s *menusPage, r *envs.Rand, nested bool) {
	m := ui.Pick(r, s.Menus)
	entry := ui.Pick(r, m.Entries)
	for len(entry.Sub) > 0 != nested {
		entry = ui.Pick(r, m.Entries)
	}
	if j.Menu, j.Entry = m.Title, entry.Text; nested {
		j.Leaf = ui.Pick(r, entry.Sub)
	}
}

// Want implements ui.Wanter.
func (j *wantedChoice) Want(s *menusPage) { s.Menu, s.Entry, s.Leaf = j.Menu, j.Entry, j.Leaf }

// Solve implements ui.Job.
func (j *wantedChoice) Solve(s *menusPage, x *ui.Pilot) {
	m := s.open()
	if m == nil || m.Title != j.Menu {
		for i := range s.Menus {
			if s.Menus[i].Title == j.Menu {
				x.Tap("menu", i)
			}
		}
		return
	}
	for i := range m.Entries {
		entry := &m.Entries[i]
		if entry.Text != j.Entry {
			continue
		}
		if s.Sub != i+1 || j.Leaf == "" {
			x.Tap("entry", i)
		}
		for k, leaf := range entry.Sub {
			if leaf == j.Leaf {
				x.Tap("leaf", k)
			}
		}
	}
}

// menuEntry asks for an entry of a menu of the bar.
type menuEntry struct{ wantedChoice }

// Setup implements ui.Job.
func (j *menuEntry) Setup(s *menusPage, t *ui.Task) {
	j.draw(s, t.Rand, false)
	t.Say("In the menu "+quoted(j.Menu)+", choose "+quoted(j.Entry)+".", "Choose "+j.Menu+" > "+j.Entry+".",
		"Open "+quoted(j.Menu)+" and click "+quoted(j.Entry)+" there.")
}

// menuNested asks for an entry of a menu within a menu.
type menuNested struct{ wantedChoice }

// Setup implements ui.Job.
func (j *menuNested) Setup(s *menusPage, t *ui.Task) {
	j.draw(s, t.Rand, true)
	t.Say("Choose "+j.Menu+" > "+j.Entry+" > "+j.Leaf+".",
		"In the menu "+quoted(j.Menu)+", open "+quoted(j.Entry)+" and choose "+quoted(j.Leaf)+".")
}
