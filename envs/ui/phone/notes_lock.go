package phone

import "marlpit/envs/ui"

var _ = add[lockNote](ui.Template{
	Name: "notes-lock", Summary: "protect a note with a password, which the app can't", Apps: []string{"notes"},
	Kind: ui.Infeasible, Level: 2, MaxTurns: 10, Easy: true, HeldOut: true,
})

// lockNote asks for what the app doesn't have.
type lockNote struct{ Title string }

// Setup implements ui.Job.
func (a *lockNote) Setup(p *Phone, t *ui.Task) {
	a.Title = ui.Pick(t.Rand, p.Notes.Notes).Title
	word := ui.Pick(t.Rand, []string{"owl77", "tulip3", "kettle9"})
	t.Say("Lock the note \""+a.Title+"\" with the password "+word+".", "Nobody should open \""+a.Title+"\" without the password "+word+". Set that up in the notes.")
	t.Offer(word, a.Title)
	t.Infeasible = true
}

// Solve implements ui.Job: the note's menu shows what can be done with it.
func (a *lockNote) Solve(p *Phone, x *ui.Pilot) {
	n := &p.Notes
	k := n.titled(a.Title)
	switch {
	case mend(p, x), away(p, x, "notes"):
	case n.Screen == "menu" && n.Open == k.ID && !n.Pick:
		x.Infeasible()
	default:
		n.solveMenu(x, k, "pinned")
	}
}
