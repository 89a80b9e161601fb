package web

import "marlpit/envs/ui"

var _ = add[forumPage, forumReply](ui.Template{
	Name: "forum-reply", Summary: "reply in a thread", Apps: []string{"forum"},
	Kind: ui.Create, Level: 2, MaxTurns: 12,
})

// forumReply asks for a reply.
type forumReply struct{ forumTask }

// Setup implements ui.Job.
func (j *forumReply) Setup(s *forumPage, t *ui.Task) {
	words := ui.Draw(t.Rand, sentences, 5)
	j.forumTask = forumTask{Thread: ui.Pick(t.Rand, s.Threads).Title, Reply: words[0]}
	t.Offer(words...)
	t.Say("Reply "+quoted(words[0])+" in the thread "+quoted(j.Thread)+", then log out.",
		"Open "+quoted(j.Thread)+", post the reply "+quoted(words[0])+" and log out.")
}
