package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

const (
	maxReasons  = 8  // of invalid votes, of one annotator
	maxFamilies = 32 // rows of a table
	maxDetailed = 6  // annotators told of at length
)

// annotatorPart is what the page says of one annotator.
type annotatorPart struct {
	ID        string // of the section
	Name      string
	Questions int // (transition, agent) there are, of the kind it was asked
	Unasked   int // of them without any vote
	Votes     int // asked
	Valid     int
	Tie       int // of the valid
	Invalid   int
	Flipped   int           // of the valid: the two orders contradicted each other
	Scores    []study.Score // against credit: all, then each agent; none where it is unknown
	Said      []said        // by agent, where credit is unknown
	Families  []study.Score // Agent holds the family
	Spent     []votes.Spending
	From, To  string // days of its first and last votes
	Reasons   []reasonPart
	Distinct  int // how many different ones there are
	Detailed  bool
	Worst     cardList
}

// said counts what was said of one agent's part.
type said struct {
	Name                         string
	Questions, B, A, Tie         int
	Valid, Flipped, Invalid, All int
}

// reasonPart is one cause of invalid votes.
type reasonPart struct {
	votes.Reason
	Name string // of the agent
}

// Overall is the score of all agents together, or of the team; nil where no
// credit is known.
func (a *annotatorPart) Overall() *study.Score {
	if len(a.Scores) == 0 {
		return nil
	}
	return &a.Scores[0]
}

// ReasonsLeft is how many reasons aren't shown.
func (a *annotatorPart) ReasonsLeft() int { return a.Distinct - len(a.Reasons) }

// annotator tells of the i-th; at length where detailed.
func (b *builder) annotator(ctx context.Context, i int) (annotatorPart, error) {
	j := b.src.annotators[i]
	a := annotatorPart{ID: fmt.Sprintf("annotator-%d", i+1), Name: j.name}
	for _, c := range slices.Concat(j.votes, j.team) {
		a.Votes += c.Valid() + c.Invalid
		a.Valid += c.Valid()
		a.Tie += c.Tie
		a.Invalid += c.Invalid
		a.Flipped += c.Flipped
	}
	if len(j.votes) > 0 || len(j.team) == 0 {
		a.Questions += len(b.src.examples)
	}
	if len(j.team) > 0 {
		a.Questions += len(b.src.team)
	}
	a.Unasked = max(a.Questions-len(j.votes)-len(j.team), 0)
	if scores := study.ScoreVotes(j.votes, b.src.world.Agents); len(scores) > 1 {
		a.Scores = scores
		a.Families = families(j.votes, func(c []votes.Counted) study.Score { return study.ScoreVotes(c, b.src.world.Agents)[0] })
	}
	if team := study.ScoreVotes(j.team, b.src.world.Agents); len(team) > 1 {
		a.Scores = append(a.Scores, team[1])
	}
	if len(a.Scores) == 0 {
		a.Said = b.said(slices.Concat(j.votes, j.team))
	}
	for _, s := range b.src.spent {
		if s.Annotator == j.name {
			a.Spent = append(a.Spent, s)
		}
	}
	first, last, err := b.src.db.AskedAt(ctx, j.name)
	a.From, a.To = day(first), day(last)
	return a, errors.Join(err, b.reasons(ctx, &a))
}

// said counts by agent, in the order of the file.
func (b *builder) said(counts []votes.Counted) (out []said) {
	at := map[int]int{}
	for _, c := range counts {
		i, ok := at[c.Agent]
		if !ok {
			i = len(out)
			at[c.Agent] = i
			out = append(out, said{Name: b.src.agent(c.Agent)})
		}
		s := &out[i]
		s.Questions++
		s.B += c.Second
		s.A += c.First
		s.Tie += c.Tie
		s.Valid += c.Valid()
		s.Flipped += c.Flipped
		s.Invalid += c.Invalid
		s.All += c.Valid() + c.Invalid
	}
	return out
}

// day is the date of a stored time; "" for what is none.
func day(at string) string {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

func (b *builder) reasons(ctx context.Context, a *annotatorPart) error {
	if a.Invalid == 0 {
		return nil
	}
	reasons, distinct, err := b.src.db.Reasons(ctx, a.Name, maxReasons)
	a.Distinct = distinct
	for _, r := range reasons {
		a.Reasons = append(a.Reasons, reasonPart{r, b.src.agent(r.Agent)})
	}
	return err
}

// families scores the votes of each family of situations, the most frequent
// first; none where the world knows no families.
func families(counts []votes.Counted, score func([]votes.Counted) study.Score) []study.Score {
	by := map[string][]votes.Counted{}
	for _, c := range counts {
		by[c.Family] = append(by[c.Family], c)
	}
	if len(by[""]) == len(counts) {
		return nil
	}
	var out []study.Score
	for family, of := range by {
		s := score(of)
		if s.Questions == 0 {
			continue
		}
		if s.Agent = family; family == "" {
			s.Agent = "(none)"
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b study.Score) int {
		return cmp.Or(cmp.Compare(b.Questions, a.Questions), cmp.Compare(a.Agent, b.Agent))
	})
	return out[:min(len(out), maxFamilies)]
}
