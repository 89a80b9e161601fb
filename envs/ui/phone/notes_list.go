package phone

import "marlpit/envs/ui"

var _ = add[extendList](ui.Template{
	Name: "notes-list", Summary: "add an entry to a list and take one off", Apps: []string{"notes"},
	Kind: ui.Several, Level: 2, MaxTurns: 14,
})

// extendList asks for an entry in place of another.
type extendList struct {
	Title, New, Old string
	mended
}

// Setup implements ui.Job.
func (a *extendList) Setup(p *Phone, t *ui.Task) {
	k := p.Notes.pickList(t)
	absent := func(s string) bool { return k.named(s) != nil }
	a.Title, a.New, a.Old = k.Title, fresh(t, listEntries, absent), ui.Pick(t.Rand, k.Entries).Text
	t.Say("On the list \""+a.Title+"\", remove "+a.Old+" and add "+a.New+".",
		"The note \""+a.Title+"\" should list "+a.New+" and no longer "+a.Old+".")
	t.Offer(a.New, a.Old, fresh(t, listEntries, func(s string) bool { return s == a.New || absent(s) }), a.Title)
}

// Want implements ui.Wanter.
func (a *extendList) Want(p *Phone) {
	k := p.Notes.titled(a.Title)
	for i := range k.Entries {
		if k.Entries[i].Text == a.Old {
			k.Entries = append(k.Entries[:i], k.Entries[i+1:]...)
			break
		}
	}
	p.Notes.enter(k, a.New)
}
