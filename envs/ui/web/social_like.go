package web

import "marlpit/envs/ui"

var _ = add[socialPage, socialLike](ui.Template{
	Name: "social-like", Summary: "like all posts of somebody", Apps: []string{"social"},
	Kind: ui.Several, Level: 2, MaxTurns: 14,
})

// socialLike asks to like all that one author wrote.
type socialLike struct{ feedTask }

// Setup implements ui.Job.
func (j *socialLike) Setup(s *socialPage, t *ui.Task) {
	j.feedTask = feedTask{Author: ui.Pick(t.Rand, s.Authors).Name, Liked: true}
	t.Say("Like every post of "+j.Author+", then press Done.", "Scroll through the feed, like all that "+j.Author+" wrote, and press Done.",
		j.Author+" is a friend: give each of those posts a like. Press Done at the end.")
}
