package phone

import "marlpit/envs/ui"

var _ = add[namePhone](ui.Template{
	Name: "settings-name", Summary: "rename the phone", Apps: []string{"settings"},
	Kind: ui.Edit, Level: 1, MaxTurns: 12,
})

// namePhone asks for another name of the phone.
type namePhone struct {
	Name string
	mended
}

// Setup implements ui.Job.
func (a *namePhone) Setup(p *Phone, t *ui.Task) {
	a.Name = fresh(t, phoneNames, func(s string) bool { return s == p.Settings.Name })
	t.Say("Rename this phone to \""+a.Name+"\".",
		"This phone is called "+p.Settings.Name+". I'd rather have it called "+a.Name+".")
	t.Offer(a.Name, p.Settings.Name, ui.Pick(t.Rand, phoneNames))
}

// Want implements ui.Wanter.
func (a *namePhone) Want(p *Phone) { p.Settings.Name = a.Name }
