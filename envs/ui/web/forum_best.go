package web

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[forumPage, forumBest](ui.Template{
	Name: "forum-best", Summary: "say whose post of a thread has the most votes, and how many", Apps: []string{"forum"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true, HeldOut: true,
})

// forumBest asks for the author and the votes of a thread's best post.
type forumBest struct{ Thread, Answer string }

// Setup implements ui.Job.
func (j *forumBest) Setup(s *forumPage, t *ui.Task) {
	th := ui.Pick(t.Rand, s.Threads)
	best := th.Posts[0]
	for _, p := range th.Posts {
		t.Offer(p.Author + ", " + strconv.Itoa(p.Votes))
		if p.Votes > best.Votes {
			best = p
		}
	}
	j.Thread, j.Answer = th.Title, best.Author+", "+strconv.Itoa(best.Votes)
	t.Answer("author", best.Author)
	t.Answer("votes", strconv.Itoa(best.Votes))
	t.Say("Who wrote the post with the most votes in "+quoted(j.Thread)+", and how many are there? Answer with author, votes.",
		"Read the thread "+quoted(j.Thread)+" and answer with the author of the post that most people voted for, and its votes. Change nothing.")
}

// Solve implements ui.Job.
func (j *forumBest) Solve(s *forumPage, x *ui.Pilot) {
	(&forumTask{}).mend(s, x)
	for i := range s.Threads {
		switch mine := s.Threads[i].Title == j.Thread; {
		case x.Answered() == j.Answer:
			x.Complete()
		case mine && s.Open == i+1:
			x.Answer(j.Answer)
		case s.Open != 0 && s.Open != i+1:
		case s.Open != 0:
			x.Tap("threads", 0)
		case mine:
			x.Tap("thread", i)
		}
	}
}

// mend takes back what nobody asked for.
func (j *forumTask) mend(s *forumPage, x *ui.Pilot) {
	for i := range s.Threads {
		switch {
		case j.fits(&s.Threads[i]):
		case s.Open == i+1:
			j.solveThread(s, i, x)
		case s.Open == 0:
			x.Tap("thread", i)
		default:
			x.Tap("threads", 0)
		}
	}
}
