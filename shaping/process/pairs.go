package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sort"

	"marlpit/shaping"
)

// PairOptions say which preferences are made. None has a default: a score of 0
// is one that may be asked for.
type PairOptions struct {
	Chosen    float64 // least score of a chosen action; above Rejected, at most 1
	Rejected  float64 // greatest score of a rejected one; at least 0
	PerRound  int     // pairs of one round at most; at least 1
	TestShare float64 // of goals, drawn by their words, whose pairs are kept for testing; from 0 up to 1
}

func (o PairOptions) check() error {
	switch {
	case !(o.Chosen > o.Rejected && o.Chosen <= 1 && o.Rejected >= 0):
		return fmt.Errorf("%w: a chosen action scores more than a rejected one, both from 0 to 1; got %v and %v", shaping.ErrOptions, o.Chosen, o.Rejected)
	case o.PerRound < 1:
		return fmt.Errorf("%w: pairs of a round are at least 1, got %d", shaping.ErrOptions, o.PerRound)
	case !(o.TestShare >= 0 && o.TestShare < 1):
		return fmt.Errorf("%w: the share for testing is from 0 up to 1, got %v", shaping.ErrOptions, o.TestShare)
	}
	return nil
}

// Pair is a preference between two actions in one situation.
type Pair struct {
	Round    *Record
	Chosen   Side
	Rejected Side
	Test     bool // kept for testing
}

// Side is one action of a pair.
type Side struct {
	Action json.RawMessage
	Reason string
	By     string // the agent that proposed it, or what made it to be wrong
	Score  float64
	Right  *bool // by the task's own solution; nil: unknown
}

// PairReport says what pairs were made of.
type PairReport struct {
	Critic       string `json:"critic"`
	Rounds       int    `json:"rounds"`         // with a valid answer
	Invalid      int    `json:"invalid"`        // left out: the answer can't be used
	Pairs        int    `json:"pairs"`          // made
	Test         int    `json:"test"`           // of them, for testing
	Adversarial  int    `json:"adversarial"`    // of them, whose rejected action was made to be wrong
	NoChosen     int    `json:"no_chosen"`      // rounds in which nothing scored high enough
	NoRejected   int    `json:"no_rejected"`    // rounds with nothing to reject
	TurnedRight  int    `json:"turned_right"`   // actions made to be wrong that are right, or were never checked: left out
	Checked      int    `json:"checked"`        // pairs of which it is known what is right
	ChosenWrong  int    `json:"chosen_wrong"`   // of them, whose chosen action is wrong
	RejectedGood int    `json:"rejected_right"` // of them, whose rejected action is right
}

// Pairs makes preferences of what a critic said, in a fixed order, and gives
// each to emit. The chosen action is the one of a round that scored highest; a
// rejected one was made to be wrong, and isn't right, or scored low. It returns
// an error wrapping shaping.ErrOptions, that of the file, or emit's.
func Pairs(ctx context.Context, db *DB, critic string, opt PairOptions, emit func(*Pair) error) (PairReport, error) {
	r := PairReport{Critic: critic}
	if err := opt.check(); err != nil {
		return r, err
	}
	err := db.Each(ctx, critic, func(s *Scored) error {
		if !s.Answer.Valid() {
			r.Invalid++
			return nil
		}
		r.Rounds++
		for _, p := range pairsOf(s, opt, &r) {
			r.note(p)
			if err := emit(p); err != nil {
				return err
			}
		}
		return nil
	})
	return r, err
}

func (r *PairReport) note(p *Pair) {
	r.Pairs++
	if p.Test {
		r.Test++
	}
	if p.Rejected.Right != nil && p.Chosen.Right != nil {
		r.Checked++
		if !*p.Chosen.Right {
			r.ChosenWrong++
		}
		if *p.Rejected.Right {
			r.RejectedGood++
		}
	}
}

// pairsOf makes the pairs of one round.
func pairsOf(s *Scored, opt PairOptions, r *PairReport) []*Pair {
	sides := make([]Side, 0, len(s.Proposals))
	for i, p := range s.Proposals {
		if p.Wasted() {
			continue
		}
		side := Side{Action: p.Action, Reason: p.Reason, By: p.Agent, Score: s.Answer.Scores[i]}
		if s.Right != nil {
			side.Right = &s.Right[i]
		}
		sides = append(sides, side)
	}
	sort.SliceStable(sides, func(i, j int) bool { return sides[i].Score > sides[j].Score })
	if len(sides) == 0 || sides[0].Score < opt.Chosen {
		r.NoChosen++
		return nil
	}
	var out []*Pair
	used := map[string]bool{} // actions that scored well, or are rejected already
	for _, x := range sides {
		if x.Score > opt.Rejected {
			used[action(x.Action)] = true
		}
	}
	add := func(x Side) bool {
		key := action(x.Action)
		if used[key] || len(out) == opt.PerRound {
			return false
		}
		used[key] = true
		out = append(out, &Pair{Round: &s.Record, Chosen: sides[0], Rejected: x, Test: kept(s.Goal, opt.TestShare)})
		return true
	}
	for _, a := range s.Adversarial {
		if a.Right == nil || *a.Right {
			r.TurnedRight++
			continue
		}
		if add(Side{Action: a.Action, Reason: a.Reason, By: a.By, Right: a.Right}) {
			r.Adversarial++
		}
	}
	for i := len(sides) - 1; i > 0 && sides[i].Score <= opt.Rejected; i-- {
		add(sides[i])
	}
	if len(out) == 0 {
		r.NoRejected++
	}
	return out
}

// action is an action by its content: its members in order, without its reason.
func action(raw json.RawMessage) string {
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&members) != nil {
		return string(raw)
	}
	delete(members, "reason")
	b, err := json.Marshal(members)
	if err != nil {
		return string(raw)
	}
	return string(b)
}

// kept says whether a goal is one for testing: by its words alone, so that no
// goal is on both sides.
func kept(goal string, share float64) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte("test " + goal)) // never fails
	return float64(mix(h.Sum64())>>11)/(1<<53) < share
}
