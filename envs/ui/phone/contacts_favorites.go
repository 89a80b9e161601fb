package phone

import "marlpit/envs/ui"

var _ = add[markFavorites](ui.Template{
	Name: "contacts-favorites", Summary: "make two contacts favorites", Apps: []string{"contacts"},
	Kind: ui.Several, Level: 2, MaxTurns: 16,
})

// markFavorites asks for two favorites more.
type markFavorites struct {
	Names [2]string
	mended
}

// Setup implements ui.Job.
func (a *markFavorites) Setup(p *Phone, t *ui.Task) {
	for i, q := range ui.Draw(t.Rand, p.Contacts.People, 2) {
		a.Names[i] = q.Name
		p.Contacts.named(q.Name).Favorite = false
	}
	t.Say("Make "+a.Names[0]+" and "+a.Names[1]+" favorites.",
		"Add two people to my favorite contacts: "+a.Names[0]+" and "+a.Names[1]+".")
	t.Offer(a.Names[0], a.Names[1])
}

// Want implements ui.Wanter.
func (a *markFavorites) Want(p *Phone) {
	for _, n := range a.Names {
		p.Contacts.named(n).Favorite = true
	}
}
