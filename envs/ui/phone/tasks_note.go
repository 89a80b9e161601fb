package phone

import "marlpit/envs/ui"

var _ = add[fromNote](ui.Template{
	Name: "tasks-note", Summary: "make tasks of the two open entries of a note's list", Apps: []string{"tasks", "notes"},
	Kind: ui.Transfer, Level: 3, MaxTurns: 36,
})

// fromNote asks for tasks of what is left to do in a note.
type fromNote struct {
	Note   string
	Titles [2]string
}

// Setup implements ui.Job.
func (a *fromNote) Setup(p *Phone, t *ui.Task) {
	var titles [3]string
	for i := range titles {
		titles[i] = fresh(t, todoTitles, func(s string) bool { return p.Tasks.has(s) || index(titles[:], s) >= 0 })
	}
	a.Note = ui.Pick(t.Rand, []string{"Weekend", "To get done", "Open ends"})
	k := p.Notes.put(NoteDraft{a.Note, "", noteFolders[0]})
	done := t.Rand.Intn(3)
	for i, title := range titles {
		p.Notes.enter(k, title)
		k.Entries[len(k.Entries)-1].Done = i == done
	}
	a.Titles = [2]string{titles[(done+1)%3], titles[(done+2)%3]}
	t.Say("My note \""+a.Note+"\" holds a list. Make a task on the list Errands of each entry that isn't ticked off.",
		"Carry what is still open in the note \""+a.Note+"\" over to my tasks, one by one, into the list Errands.")
	t.Offer(titles[:]...)
	t.Offer(a.Note)
}

// Want implements ui.Wanter.
func (a *fromNote) Want(p *Phone) {
	for _, title := range a.Titles {
		p.Tasks.put(Todo{Title: title, List: "Errands", Priority: priorities[0], Due: -1})
	}
}

// Solve implements ui.Job.
func (a *fromNote) Solve(p *Phone, x *ui.Pilot) {
	started := p.Tasks.has(a.Titles[0]) || p.Notes.shows(a.Note)
	if started || !repaired(p, x, &p.Notes) || !p.Notes.look(p, x, a.Note) {
		finish(p, x)
	}
}
