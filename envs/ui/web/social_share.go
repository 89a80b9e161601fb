package web

import "marlpit/envs/ui"

var _ = add[socialPage, socialShare](ui.Template{
	Name: "social-share", Summary: "pass one post on", Apps: []string{"social"},
	Kind: ui.Edit, Level: 1, MaxTurns: 8, Easy: true,
})

// socialShare asks to pass on the post with given words.
type socialShare struct{ feedTask }

// Setup implements ui.Job.
func (j *socialShare) Setup(s *socialPage, t *ui.Task) {
	p := ui.Pick(t.Rand, s.Posts)
	j.feedTask = feedTask{Author: p.Author, Text: p.Text, Shared: true}
	t.Say("Pass the post "+quoted(p.Text)+" on, then press Done.", "Somebody wrote "+quoted(p.Text)+" Pass that on and press Done.")
}
