package web

import "marlpit/envs/ui"

var _ = add[forumPage, forumVote](ui.Template{
	Name: "forum-vote", Summary: "vote for all that somebody wrote in a thread", Apps: []string{"forum"},
	Kind: ui.Several, Level: 2, MaxTurns: 14,
})

// forumVote asks for votes for an author in one thread.
type forumVote struct{ forumTask }

// Setup implements ui.Job.
func (j *forumVote) Setup(s *forumPage, t *ui.Task) {
	th := ui.Pick(t.Rand, s.Threads)
	j.forumTask = forumTask{Thread: th.Title, Author: ui.Pick(t.Rand, th.Posts).Author}
	t.Say("Vote for every post of "+j.Author+" in the thread "+quoted(j.Thread)+", then log out.",
		"What "+j.Author+" wrote about "+quoted(j.Thread)+" deserves your vote, each post of it. Log out at the end.")
}
