package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[switchesPage, switchesSet](ui.Template{
	Name: "switches-set", Summary: "turn some switches on and others off", Apps: []string{"switches"},
	Kind: ui.Setting, Level: 2, MaxTurns: 14,
})

// switchesPage has settings in two groups.
type switchesPage struct {
	Form
	Groups []switches
}

// switches are the settings of a group.
type switches struct {
	Title string
	Boxes []box
}

func (s *switchesPage) fill(r *envs.Rand) {
	*s = switchesPage{}
	words := []string{"Sound", "Banner", "Badge", "Preview", "Vibration"}
	for _, title := range ui.Draw(r, []string{"Mail", "Chat", "Calendar"}, 2) {
		g := switches{Title: title}
		for _, w := range ui.Draw(r, words, 4) {
			g.Boxes = append(g.Boxes, box{w, r.Intn(2) == 0})
		}
		s.Groups = append(s.Groups, g)
	}
}

// App implements ui.Sim.
func (s *switchesPage) App() string { return "switches" }

// View implements ui.Sim.
func (s *switchesPage) View(b *ui.Builder) {
	b.Heading("Settings")
	b.Scroll("groups", submitHeight)
	for i := range s.Groups {
		g := &s.Groups[i]
		b.Heading(g.Title)
		for k := range g.Boxes {
			b.Switch("switch", i*keysPerGroup+k, g.Boxes[k].Text, g.Boxes[k].Checked).Describe(g.Title)
		}
	}
	b.End()
	s.submit(b)
}

// Update implements ui.Sim.
func (s *switchesPage) Update(e ui.Event) {
	i, k := e.Key/keysPerGroup, e.Key%keysPerGroup
	if e.Is(ui.Click, "switch") && within(i, len(s.Groups)) && within(k, len(s.Groups[i].Boxes)) {
		s.Groups[i].Boxes[k].Checked = !s.Groups[i].Boxes[k].Checked
	}
	s.submits(e)
}

// switchesSet asks for changes of four switches.
type switchesSet struct{ On []int } // the keys of switches that are on in the end

// Setup implements ui.Job.
func (j *switchesSet) Setup(s *switchesPage, t *ui.Task) {
	change := ui.Draw(t.Rand, []int{0, 1, 2, 3, keysPerGroup, keysPerGroup + 1, keysPerGroup + 2, keysPerGroup + 3}, 4)
	var on, off []string
	j.On = nil
	for i := range s.Groups {
		for k, b := range s.Groups[i].Boxes {
			key := i*keysPerGroup + k
			changes := slices.Contains(change, key)
			if b.Checked != changes {
				j.On = append(j.On, key)
			}
			switch name := b.Text + " of " + s.Groups[i].Title; {
			case changes && b.Checked:
				off = append(off, name)
			case changes:
				on = append(on, name)
			}
		}
	}
	turn := "turn " + listed(on) + " on"
	switch {
	case len(on) == 0:
		turn = "turn " + listed(off) + " off"
	case len(off) > 0:
		turn += " and " + listed(off) + " off"
	}
	t.Say("In the settings, "+turn+", and submit.", "Please "+turn+" and leave the rest as it is. Then press Submit.")
}

// Want implements ui.Wanter.
func (j *switchesSet) Want(s *switchesPage) {
	for i := range s.Groups {
		for k := range s.Groups[i].Boxes {
			s.Groups[i].Boxes[k].Checked = slices.Contains(j.On, i*keysPerGroup+k)
		}
	}
	s.Submitted = true
}

// Solve implements ui.Job.
func (j *switchesSet) Solve(s *switchesPage, x *ui.Pilot) {
	for i := range s.Groups {
		for k := range s.Groups[i].Boxes {
			if key := i*keysPerGroup + k; s.Groups[i].Boxes[k].Checked != slices.Contains(j.On, key) {
				x.Tap("switch", key)
			}
		}
	}
	x.Tap("submit", 0)
}
