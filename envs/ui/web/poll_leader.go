package web

import (
	"strconv"

	"marlpit/envs/ui"
)

var _ = add[pollPage, pollLeader](ui.Template{
	Name: "poll-leader", Summary: "say what leads in a poll, and with how many votes", Apps: []string{"poll"},
	Kind: ui.Find, Level: 2, MaxTurns: 12, Easy: true,
})

// pollLeader asks for the option with the most votes.
type pollLeader struct {
	Poll   int
	Answer string
}

// Setup implements ui.Job.
func (j *pollLeader) Setup(s *pollPage, t *ui.Task) {
	j.Poll = t.Rand.Intn(len(s.Polls))
	p := &s.Polls[j.Poll]
	best := p.Options[0]
	for i, o := range p.Options {
		t.Offer(o.Text+", "+strconv.Itoa(o.Votes), o.Text+", "+strconv.Itoa(p.Options[(i+1)%len(p.Options)].Votes))
		if o.Votes > best.Votes {
			best = o
		}
	}
	j.Answer = best.Text + ", " + strconv.Itoa(best.Votes)
	t.Answer("option", best.Text)
	t.Answer("votes", strconv.Itoa(best.Votes))
	t.Say("What leads in the poll "+quoted(p.Text)+" and with how many votes? Don't vote, answer with option, votes.",
		"Look at the results of the poll "+quoted(p.Text)+" and answer with what has most votes, and their number.")
}

// Solve implements ui.Job.
func (j *pollLeader) Solve(s *pollPage, x *ui.Pilot) {
	if x.Answered() == j.Answer {
		x.Complete()
	}
	tapPage(x, s.At, j.Poll)
	if s.Results {
		x.Answer(j.Answer)
	}
	x.Tap("results", 0)
}
