package web

import "marlpit/envs/ui"

var _ = add[socialPage, socialBlock](ui.Template{
	Name: "social-block", Summary: "block somebody", Apps: []string{"social"},
	Kind: ui.Setting, Level: 2, MaxTurns: 10, Easy: true,
})

// socialBlock asks to block one author.
type socialBlock struct{ feedTask }

// Setup implements ui.Job.
func (j *socialBlock) Setup(s *socialPage, t *ui.Task) {
	j.feedTask = feedTask{Author: ui.Pick(t.Rand, s.Authors).Name, Blocked: true}
	t.Say("Block "+j.Author+", then press Done.", "I never want to read "+j.Author+" again: block that author, and press Done.")
}
