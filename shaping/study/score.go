package study

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// Verdict is what a score comes to.
type Verdict string

// The verdicts.
const (
	Usable   Verdict = "usable"   // the interval of the accuracy lies above one half
	Blind    Verdict = "blind"    // the interval holds one half, or the votes are even on everything
	Reversed Verdict = "reversed" // the interval lies below one half: worse than a coin
	TooFew   Verdict = "too few"  // fewer than MinDecidable questions with credit have a readable vote
	Nothing  Verdict = "none"     // no question with credit has one: there was nothing to get right
)

// MinDecidable is the least number of questions whose credit isn't zero, with a
// readable vote, that a verdict is passed on.
const MinDecidable = 5

// Score is how good verdicts are against exact credit. Each question (a
// transition and an agent) counts once, by the majority of its votes; ties and
// preferences where there is nothing to prefer are told apart.
type Score struct {
	Agent     string  `json:"agent"`     // or "all", or "team"; of a group, its name
	Questions int     `json:"questions"` // with exact credit known
	Votes     int     `json:"votes"`     // that could be read
	Invalid   int     `json:"invalid"`   // votes that could not
	Flipped   int     `json:"flipped"`   // votes in which the two orders contradicted each other
	Unasked   int     `json:"unasked"`   // questions without a readable vote
	Right     int     `json:"right"`     // credit isn't zero, and its sign was preferred
	Wrong     int     `json:"wrong"`     // credit isn't zero, and the other sign was preferred
	Undecided int     `json:"undecided"` // credit isn't zero, but the votes are even
	Even      int     `json:"even"`      // credit is zero, and so are the votes
	False     int     `json:"false"`     // credit is zero, but a side was preferred
	Accuracy  float64 `json:"accuracy"`  // right / (right + wrong); 0 where nothing was decided
	Texts     int     `json:"texts"`     // different words among right and wrong: equal words, equal mistakes
	Low       float64 `json:"low"`       // 95 % interval of the accuracy on questions like these, clustered by words
	High      float64 `json:"high"`
	Verdict   Verdict `json:"verdict"`

	text  []int64 // (right + wrong,) words of each that was decided
	agree []bool  // (right + wrong,) whether it was right
}

// FlipRate is the share of readable votes whose two orders contradicted each other.
func (s Score) FlipRate() float64 { return ratio(s.Flipped, s.Votes) }

// ScoreVotes scores an annotator's counted votes, all together first and then
// by agent. names are the agents'.
func ScoreVotes(counts []votes.Counted, names []string) []Score {
	return scores(counts, names, preference)
}

// ScoreModel scores the sign of Δσ on the same examples, or on those held out
// of fitting only. Team questions are read off agent 0's σ.
func ScoreModel(model shaping.Potential, examples []votes.Counted, names []string, heldOnly bool) []Score {
	var kept []votes.Counted
	for _, c := range examples {
		if !heldOnly || c.Held {
			c.Second = 1 // one opinion each
			kept = append(kept, c)
		}
	}
	return scores(kept, names, func(c votes.Counted) float64 {
		agent := max(c.Agent, 0)
		if model.Input(agent) == shaping.Focus {
			return float64(model.Value(agent, c.FocusB)) - float64(model.Value(agent, c.FocusA))
		}
		return float64(model.Value(agent, c.StateB)) - float64(model.Value(agent, c.StateA))
	})
}

// ScoreGroups scores an annotator's counted votes by whatever group names: in
// alphabetical order; those of the group "" are left out.
func ScoreGroups(counts []votes.Counted, group func(votes.Counted) string) []Score {
	by := map[string]*Score{}
	for _, c := range counts {
		g := group(c)
		if g == "" || math.IsNaN(c.Truth) {
			continue
		}
		if by[g] == nil {
			by[g] = &Score{Agent: g}
		}
		by[g].add(c, preference)
	}
	var out []Score
	for _, g := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[g].finish())
	}
	return out
}

// preference is what the votes come to: above 0 where b is preferred.
func preference(c votes.Counted) float64 { return c.Confidence - 0.5 }

// scores counts with opinion: above 0 where b is preferred, below where a is.
func scores(counts []votes.Counted, names []string, opinion func(votes.Counted) float64) []Score {
	all := Score{Agent: "all"}
	byAgent := map[int]*Score{}
	var order []int
	for _, c := range counts {
		if math.IsNaN(c.Truth) {
			continue
		}
		s := byAgent[c.Agent]
		if s == nil {
			s = &Score{Agent: agentName(names, c.Agent)}
			byAgent[c.Agent] = s
			order = append(order, c.Agent)
		}
		for _, s := range []*Score{&all, s} {
			s.add(c, opinion)
		}
	}
	out := []Score{all.finish()}
	slices.Sort(order)
	for _, agent := range order {
		out = append(out, byAgent[agent].finish())
	}
	return out
}

func agentName(names []string, agent int) string {
	if agent == votes.Team {
		return "team"
	}
	if agent < len(names) {
		return names[agent]
	}
	return fmt.Sprint(agent)
}

func (s *Score) add(c votes.Counted, opinion func(votes.Counted) float64) {
	s.Questions++
	s.Votes += c.Valid()
	s.Invalid += c.Invalid
	s.Flipped += c.Flipped
	if c.Valid() == 0 {
		s.Unasked++
		return
	}
	o := opinion(c)
	switch {
	case c.Truth == 0 && o == 0:
		s.Even++
	case c.Truth == 0:
		s.False++
	case o == 0 || math.IsNaN(o):
		s.Undecided++
	default:
		right := (o > 0) == (c.Truth > 0)
		if right {
			s.Right++
		} else {
			s.Wrong++
		}
		s.text, s.agree = append(s.text, c.Text), append(s.agree, right)
	}
}

func (s Score) finish() Score {
	s.Accuracy = ratio(s.Right, s.Right+s.Wrong)
	s.Low, s.High = prefer.Clustered(s.text, s.agree)
	s.Low, s.High = min(s.Low, s.Accuracy), max(s.High, s.Accuracy) // rounding at 0 and 1
	different := map[int64]bool{}
	for _, t := range s.text {
		if t == 0 {
			s.Texts++ // one without words is like no other
		} else {
			different[t] = true
		}
	}
	s.Texts += len(different)
	s.text, s.agree = nil, nil
	switch decidable := s.Right + s.Wrong + s.Undecided; {
	case decidable == 0:
		s.Verdict = Nothing
	case decidable < MinDecidable:
		s.Verdict = TooFew
	case s.Right+s.Wrong == 0:
		s.Verdict = Blind
	case s.Low > 0.5:
		s.Verdict = Usable
	case s.High < 0.5:
		s.Verdict = Reversed
	default:
		s.Verdict = Blind
	}
	return s
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
