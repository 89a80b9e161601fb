package study

import (
	"math"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// voteReports describes the votes on each agent that was asked about, in order.
func voteReports(counts []votes.Counted, names []string) []prefer.VoteReport {
	byAgent := map[int][]votes.Counted{}
	for _, c := range counts {
		byAgent[c.Agent] = append(byAgent[c.Agent], c)
	}
	var out []prefer.VoteReport
	for agent := votes.Team; agent < len(names); agent++ {
		if of := byAgent[agent]; of != nil {
			out = append(out, voteReport(agentName(names, agent), of))
		}
	}
	return out
}

func voteReport(agent string, counts []votes.Counted) prefer.VoteReport {
	r := prefer.VoteReport{Agent: agent, Questions: len(counts)}
	var invalid, tie, flipped clustered
	var all, wrong []prefer.TextVotes
	for _, c := range counts {
		r.Asked += c.Valid() + c.Invalid
		invalid.add(c.Text, c.Invalid, c.Valid()+c.Invalid)
		tie.add(c.Text, c.Tie, c.Valid())
		flipped.add(c.Text, c.Flipped, c.Valid())
		all = append(all, prefer.TextVotes{Text: c.Text, N: float64(c.Valid()),
			Sum: float64(c.Second) + float64(c.Tie)/2, Square: float64(c.Second) + float64(c.Tie)/4})
		if errs := float64(c.First); c.Truth != 0 && !math.IsNaN(c.Truth) {
			if c.Truth < 0 {
				errs = float64(c.Second)
			}
			wrong = append(wrong, prefer.TextVotes{Text: c.Text, N: float64(c.First + c.Second), Sum: errs, Square: errs})
		}
	}
	r.Invalid, r.Tie, r.Flipped = invalid.share(), tie.share(), flipped.share()
	if wrong != nil {
		r.Texts = prefer.NewTexts(all, wrong, prefer.OfErrors)
	} else {
		r.Texts = prefer.NewTexts(all, all, prefer.OfVotes)
	}
	r.Critic = judged(counts, func(c votes.Counted) float64 { return c.Confidence - 0.5 })
	return r
}

// clustered counts votes that are something.
type clustered struct {
	texts []int64
	is    []bool
}

func (s *clustered) add(text int64, count, n int) {
	for i := range n {
		s.texts, s.is = append(s.texts, text), append(s.is, i < count)
	}
}

func (s *clustered) share() prefer.Share { return prefer.NewShare(s.texts, s.is) }

// judged compares opinions (above 0: b is better) on questions that have a vote
// with exact credit; nil where none is known.
func judged(counts []votes.Counted, opinion func(votes.Counted) float64) *prefer.Judged {
	var j *prefer.Judged
	var right clustered
	for _, c := range counts {
		o := opinion(c)
		if math.IsNaN(c.Truth) || math.IsNaN(o) {
			continue
		}
		if j == nil {
			j = &prefer.Judged{}
		}
		switch {
		case c.Truth == 0 && o == 0:
			j.Even++
		case c.Truth == 0:
			j.False++
		case o == 0:
			j.Ties++
		default:
			hit := 0
			if (o > 0) == (c.Truth > 0) {
				hit = 1
			}
			right.add(c.Text, hit, 1)
		}
	}
	if j != nil {
		s := right.share()
		j.Right, j.N, j.Low, j.High = s.Count, s.N, s.Low, s.High
	}
	return j
}

// addTruth adds what needs more than votes: how each net does on held-out
// questions against exact credit, and how its σ lies at the goal.
func addTruth(r *prefer.Report, m *prefer.Model, examples []votes.Counted) {
	for i := range r.Nets {
		sigma := func(state, focus []float32) float64 {
			if m.Input(i) == shaping.Focus {
				return float64(m.Value(i, focus))
			}
			return float64(m.Value(i, state))
		}
		var own, held []votes.Counted
		for _, c := range examples {
			if max(c.Agent, 0) == i {
				own = append(own, c)
				if c.Held {
					held = append(held, c)
				}
			}
		}
		r.Nets[i].Truth = judged(held, func(c votes.Counted) float64 {
			return sigma(c.StateB, c.FocusB) - sigma(c.StateA, c.FocusA)
		})
		r.Nets[i].Hovering = hovering(own, sigma)
	}
}

// hovering is the share of distinct states within episodes whose σ lies above
// the mean of the distinct terminal ones: a team that earns a difference of σ
// would rather stay there than end. Its interval takes states as independent
// and the mean as given. Nil without a terminal state.
func hovering(examples []votes.Counted, sigma func(state, focus []float32) float64) *prefer.Share {
	seen := map[uint64]bool{}
	fresh := func(state []float32) bool {
		key := votes.PairKey(state, nil)
		old := seen[key]
		seen[key] = true
		return !old
	}
	goal, n := 0.0, 0
	for _, c := range examples {
		if c.Terminal && fresh(c.StateB) {
			goal += sigma(c.StateB, c.FocusB)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	goal /= float64(n)
	var above clustered
	look := func(state, focus []float32) {
		if fresh(state) {
			hit := 0
			if sigma(state, focus) > goal {
				hit = 1
			}
			above.add(0, hit, 1)
		}
	}
	for _, c := range examples {
		look(c.StateA, c.FocusA)
		if !c.Terminal {
			look(c.StateB, c.FocusB)
		}
	}
	s := above.share()
	return &s
}
