package web

import (
	"strings"

	"marlpit/envs/ui"
)

var _ = add[settingsPage, settingsAll](ui.Template{
	Name: "settings-all", Summary: "switch all settings of a tab on or off, with one exception", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 2, MaxTurns: 14, HeldOut: true,
})

// settingsAll asks to switch all switches of a tab alike but one.
type settingsAll struct{ wantedSettings }

// Setup implements ui.Job.
func (j *settingsAll) Setup(s *settingsPage, t *ui.Task) {
	tab := t.Rand.Intn(len(s.Tabs))
	s.Tab = (tab + 1 + t.Rand.Intn(2)) % len(s.Tabs)
	on, except := t.Rand.Intn(2) == 0, t.Rand.Intn(4)
	s.Tabs[tab].Switches[except].On, s.Tabs[tab].Switches[(except+1)%4].On = on, !on // something is to do
	j.start(s)
	for i := range j.Tabs[tab].Switches {
		j.Tabs[tab].Switches[i].On = (i == except) != on
	}
	title, but := j.Tabs[tab].Title, j.Tabs[tab].Switches[except]
	all := "off"
	if on {
		all = "on"
	}
	t.Say("Under "+title+", switch everything "+all+" except "+quoted(but.Text)+", which has to be "+onOff(but.On)+". Save.",
		"I want all the switches of "+strings.ToLower(title)+" "+all+", but "+but.wish()+". Set them so and save.")
}

// onOff is a switch's position in words.
func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
