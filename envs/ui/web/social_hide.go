package web

import "marlpit/envs/ui"

var _ = add[socialPage, socialHide](ui.Template{
	Name: "social-hide", Summary: "hide each post of somebody without blocking them", Apps: []string{"social"},
	Kind: ui.Several, Level: 3, MaxTurns: 18, HeldOut: true,
})

// socialHide asks to hide all that one author wrote.
type socialHide struct{ feedTask }

// Setup implements ui.Job.
func (j *socialHide) Setup(s *socialPage, t *ui.Task) {
	j.feedTask = feedTask{Author: ui.Pick(t.Rand, s.Authors).Name, Hidden: true}
	t.Say("Hide every post of "+j.Author+" without blocking anybody, then press Done.",
		"Hide all that "+j.Author+" wrote, post by post; don't block. Press Done at the end.")
}
