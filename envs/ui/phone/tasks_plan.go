package phone

import "marlpit/envs/ui"

var _ = add[planTodos](ui.Template{
	Name: "tasks-plan", Summary: "add three tasks, each to a list of its own", Apps: []string{"tasks"},
	Kind: ui.Several, Level: 3, MaxTurns: 40,
})

// planTodos asks for three new tasks.
type planTodos struct {
	Titles, Lists [3]string
	mended
}

// Setup implements ui.Job.
func (a *planTodos) Setup(p *Phone, t *ui.Task) {
	copy(a.Lists[:], ui.Draw(t.Rand, todoLists, 3))
	for i := range a.Titles {
		a.Titles[i] = fresh(t, todoTitles, func(s string) bool { return p.Tasks.has(s) || index(a.Titles[:], s) >= 0 })
	}
	t.Say("Add three tasks: \""+a.Titles[0]+"\" to the list "+a.Lists[0]+", \""+a.Titles[1]+"\" to "+a.Lists[1]+
		" and \""+a.Titles[2]+"\" to "+a.Lists[2]+".",
		"What I have to do: for "+a.Lists[0]+", "+a.Titles[0]+"; for "+a.Lists[1]+", "+a.Titles[1]+"; for "+a.Lists[2]+", "+
			a.Titles[2]+". Make a task of each, on its list.")
	t.Offer(a.Titles[:]...)
	t.Offer(p.Tasks.Items[0].Title)
}

// Want implements ui.Wanter.
func (a *planTodos) Want(p *Phone) {
	for i, title := range a.Titles {
		p.Tasks.put(Todo{Title: title, List: a.Lists[i], Priority: priorities[0], Due: -1})
	}
}
