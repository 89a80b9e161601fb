package web

import "marlpit/envs/ui"

var _ = add[socialPage, socialFollow](ui.Template{
	Name: "social-follow", Summary: "follow whoever wrote a post, and like that post", Apps: []string{"social"},
	Kind: ui.Edit, Level: 2, MaxTurns: 14,
})

// socialFollow asks to follow the author of the post with given words.
type socialFollow struct{ feedTask }

// Setup implements ui.Job.
func (j *socialFollow) Setup(s *socialPage, t *ui.Task) {
	p := ui.Pick(t.Rand, s.Posts)
	j.feedTask = feedTask{Author: p.Author, Text: p.Text, Followed: true, Liked: true}
	t.Say("Like the post "+quoted(p.Text)+" and follow its author, then press Done.",
		"Find out who wrote "+quoted(p.Text)+" Follow them, like this one post of theirs, and press Done.")
}
