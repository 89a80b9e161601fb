package phone

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[findInNote](ui.Template{
	Name: "notes-find", Summary: "tell a number that stands in a note", Apps: []string{"notes"},
	Kind: ui.Find, Level: 1, MaxTurns: 10, Easy: true,
})

// findInNote asks for a number out of a note.
type findInNote struct{ Title, Value string }

// facts are what notes hold a number for.
var facts = []string{"Locker", "Shoe size of Mara", "Boiler pressure", "Seat on the train", "Door of the flat", "Bus to the lake"}

// Setup implements ui.Job.
func (a *findInNote) Setup(p *Phone, t *ui.Task) {
	titles := ui.Draw(t.Rand, facts, 2)
	values := make([]string, 5)
	for i := range values {
		values[i] = strconv.Itoa(20 + 60*i + t.Rand.Intn(60))
	}
	t.Rand.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	for i, s := range titles {
		p.Notes.put(NoteDraft{s, "Written down by hand, in a hurry: it is number " + values[i] + ", for sure.", noteFolders[i]})
	}
	a.Title, a.Value = titles[0], values[0]
	t.Say("Which number did I note under \""+a.Title+"\"? Answer with the number.", "Find the note \""+a.Title+"\" and tell me the number in it.")
	t.Answer("number", a.Value)
	t.Offer(values...)
	t.Offer(a.Title)
}

// Solve implements ui.Job.
func (a *findInNote) Solve(p *Phone, x *ui.Pilot) {
	switch {
	case mend(p, x):
	case x.Answered() == a.Value:
		x.Complete()
	case !p.Notes.look(p, x, a.Title):
		x.Answer(a.Value)
	}
}
