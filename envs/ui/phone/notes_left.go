package phone

import "marlpit/envs/ui"

var _ = add[findLeft](ui.Template{
	Name: "notes-left", Summary: "tell which two entries of a list aren't ticked", Apps: []string{"notes"},
	Kind: ui.Find, Level: 2, MaxTurns: 10, Easy: true, HeldOut: true,
})

// findLeft asks what is left on a list.
type findLeft struct{ Title, Answer string }

// Setup implements ui.Job.
func (a *findLeft) Setup(p *Phone, t *ui.Task) {
	k := p.Notes.pickList(t)
	a.Title = k.Title
	i := t.Rand.Intn(len(k.Entries) - 1)
	j := i + 1 + t.Rand.Intn(len(k.Entries)-1-i)
	for e := range k.Entries {
		k.Entries[e].Done = e != i && e != j
	}
	one, two := k.Entries[i].Text, k.Entries[j].Text
	a.Answer = one + ", " + two
	t.Say("Two entries of the list \""+a.Title+"\" aren't ticked yet. Which? Answer with both, in the order of the list.",
		"What is still to be ticked in the note \""+a.Title+"\"? Name the two entries in order, with a comma between.")
	t.Answer("first", one)
	t.Answer("second", two)
	t.Offer(a.Answer)
	for e := range min(4, len(k.Entries)-1) {
		if s := k.Entries[e].Text + ", " + k.Entries[e+1].Text; s != a.Answer {
			t.Offer(s)
		}
	}
}

// Solve implements ui.Job.
func (a *findLeft) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Answer:
		x.Complete()
	case !p.Notes.look(p, x, a.Title):
		x.Answer(a.Answer)
	}
}
