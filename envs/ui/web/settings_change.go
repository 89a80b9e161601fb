package web

import "marlpit/envs/ui"

var _ = add[settingsPage, settingsChange](ui.Template{
	Name: "settings-change", Summary: "change settings on two tabs and save", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 2, MaxTurns: 14,
})

// settingsChange asks to change a switch of one tab and a list of another.
type settingsChange struct{ wantedSettings }

// Setup implements ui.Job.
func (j *settingsChange) Setup(s *settingsPage, t *ui.Task) {
	j.start(s)
	tabs := ui.Draw(t.Rand, []int{0, 1, 2}, 2)
	one, other := &j.Tabs[tabs[0]], &j.Tabs[tabs[1]]
	w := &one.Switches[t.Rand.Intn(len(one.Switches))]
	w.On = !w.On
	q := &other.Lists[0]
	q.Chosen = ui.Pick(t.Rand, drawOther(t.Rand, q.Options, []string{q.Chosen}, len(q.Options)-1))
	t.Say("Switch "+w.wish()+" under "+one.Title+", set "+quoted(q.Text)+" to "+quoted(q.Chosen)+" under "+other.Title+", and save.",
		"In the settings, "+quoted(q.Text)+" has to be "+quoted(q.Chosen)+". Also switch "+w.wish()+". Then save.")
}
