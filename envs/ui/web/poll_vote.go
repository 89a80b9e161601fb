package web

import "marlpit/envs/ui"

var _ = add[pollPage, pollVote](ui.Template{
	Name: "poll-vote", Summary: "vote in a poll", Apps: []string{"poll"},
	Kind: ui.Create, Level: 1, MaxTurns: 10, Easy: true,
})

// pollVote asks for a vote in one of the polls.
type pollVote struct{ Poll, Option int }

// Setup implements ui.Job.
func (j *pollVote) Setup(s *pollPage, t *ui.Task) {
	j.Poll = t.Rand.Intn(len(s.Polls))
	p := &s.Polls[j.Poll]
	j.Option = t.Rand.Intn(len(p.Options))
	name := quoted(p.Options[j.Option].Text)
	t.Say("Vote for "+name+" in the poll "+quoted(p.Text), "One of the polls asks "+quoted(p.Text)+" Choose "+name+" and vote.")
}

// Want implements ui.Wanter.
func (j *pollVote) Want(s *pollPage) { s.Polls[j.Poll].Mine = j.Option + 1 }

// Solve implements ui.Job.
func (j *pollVote) Solve(s *pollPage, x *ui.Pilot) {
	tapPage(x, s.At, j.Poll)
	switch {
	case s.Results:
		x.Tap("results", 0)
	case s.Chosen != j.Option+1:
		x.Tap("option", j.Option)
	}
	x.Tap("vote", 0)
}
