package phone

import "marlpit/envs/ui"

var _ = add[setLanguage](ui.Template{
	Name: "settings-language", Summary: "choose a language", Apps: []string{"settings"},
	Kind: ui.Setting, Level: 1, MaxTurns: 8,
})

// setLanguage asks for a language.
type setLanguage struct {
	Language string
	mended
}

// Setup implements ui.Job.
func (a *setLanguage) Setup(p *Phone, t *ui.Task) {
	a.Language = fresh(t, languages, func(s string) bool { return s == p.Settings.Language })
	t.Say("Set the language of the phone to "+a.Language+".",
		"Change the phone's language from "+p.Settings.Language+" to "+a.Language+".")
	t.Offer(a.Language, p.Settings.Language)
}

// Want implements ui.Wanter.
func (a *setLanguage) Want(p *Phone) { p.Settings.Language = a.Language }
