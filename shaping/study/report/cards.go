package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
)

// cardList shows questions one by one.
type cardList struct {
	Cards []card
	Of    int // how many there are in all
}

// More is how many aren't shown.
func (l cardList) More() int { return l.Of - l.Shown() }

// Shown is the number of questions that the cards stand for.
func (l cardList) Shown() int {
	n := 0
	for _, c := range l.Cards {
		n += 1 + c.Same
	}
	return n
}

// card is one question: what happened, what was said of it, what is known.
type card struct {
	votes.Counted
	Name          string // of the agent
	Action        string // what it did; "" where unknown
	Step          int
	Terminal      bool
	Before, After template.URL // pictures; "" where there are none
	Guided, Plain string
	Model         bool    // Delta is known
	Delta         float64 // σ(b) − σ(a)
	SD            float64 // in units of which Delta is told; 1 where σ is flat
	Same          int     // further questions in equal words with this fault, shown by this one
}

// Known says whether credit is known.
func (c card) Known() bool { return !math.IsNaN(c.Truth) }

// Voted says whether there are votes that could be read.
func (c card) Voted() bool { return c.Valid() > 0 }

// Says is the model's probability that b is better.
func (c card) Says() float64 { return 1 / (1 + math.Exp(-c.Delta)) }

// InSD is Delta in standard deviations.
func (c card) InSD() float64 { return c.Delta / c.SD }

// Sign is −1, 0 or 1.
func (c card) Sign() int { return cmp.Compare(c.Truth, 0) }

// fault is a question that somebody got wrong, and how badly.
type fault struct {
	votes.Counted
	worse float64
}

// worst shows the faults with the greatest worse first; of those in equal words
// only one.
func (b *builder) worst(ctx context.Context, faults []fault, merge bool) (cardList, error) {
	slices.SortStableFunc(faults, func(x, y fault) int { return cmp.Compare(y.worse, x.worse) })
	list := cardList{Of: len(faults)}
	at := map[string]int{}
	for _, f := range faults {
		key := fmt.Sprint(f.Agent, " ", f.Text)
		if i, ok := at[key]; ok && merge && f.Text != 0 {
			list.Cards[i].Same++
			continue
		}
		if len(list.Cards) == b.opt.Worst {
			continue
		}
		at[key] = len(list.Cards)
		c, err := b.card(ctx, f.Counted)
		if err != nil {
			return list, err
		}
		list.Cards = append(list.Cards, c)
	}
	return list, nil
}

// card looks a question up in the file.
func (b *builder) card(ctx context.Context, q votes.Counted) (card, error) {
	c := card{Counted: q, Name: b.src.agent(q.Agent), SD: 1}
	shown, err := b.src.db.Show(ctx, q.Transition, q.Agent)
	if err != nil {
		return c, err
	}
	c.Step, c.Terminal = shown.Step, shown.Terminal
	c.Guided, c.Plain = cut(shown.Guided, maxWords), cut(shown.Plain, maxWords)
	if b.src.model != nil {
		c.Delta = b.src.delta(q)
		c.Model = !math.IsNaN(c.Delta) // features of a file may be no numbers
		if sd := b.src.model.SD(max(q.Agent, 0)); sd > 0 {
			c.SD = sd
		}
	}
	if b.scene != nil {
		c.Action = b.scene.action(shown.Actions, q.Agent)
		c.Before = b.look(shown.SnapshotA, shown.StateA)
		c.After = b.look(shown.SnapshotB, shown.StateB)
	}
	return c, nil
}

// look is the picture of a stored state.
func (b *builder) look(snapshot []byte, state []float32) template.URL {
	if b.scene.draw == nil || b.scene.restore(snapshot, state) != nil {
		return ""
	}
	return b.pictures.add(b.scene.closeUp())
}

// action names what an agent did, one name a dimension; "" where unknown.
func (s *scene) action(joint []int32, agent int) string {
	dims := s.spec.ActionDims()
	if agent < 0 || s.spec.ActionName == nil || len(joint) != dims*len(s.spec.Agents) {
		return ""
	}
	var names []string
	first := 0
	for d, n := range s.spec.Action[agent].N {
		k := int(joint[agent*dims+d])
		if k < 0 || k >= n || first+k >= len(s.spec.ActionName[agent]) {
			return ""
		}
		names = append(names, s.spec.ActionName[agent][first+k])
		first += n
	}
	return strings.Join(names, ", ")
}

// wrongVotes are the questions whose votes contradict the credit that is known:
// the most confident first, preferences where there is nothing to prefer last.
func wrongVotes(counts []votes.Counted) (out []fault) {
	for _, c := range counts {
		lean := c.Confidence - 0.5
		switch {
		case math.IsNaN(c.Truth) || math.IsNaN(lean) || lean == 0 || lean*c.Truth > 0:
		case c.Truth == 0:
			out = append(out, fault{c, math.Abs(lean)})
		default:
			out = append(out, fault{c, 1 + math.Abs(lean)})
		}
	}
	return out
}

// wrongModel are the questions whose Δσ has the other sign than the credit that
// is known, the largest Δσ first. Votes are those given, where there are any.
func (b *builder) wrongModel(counts []votes.Counted) (out []fault) {
	for _, c := range counts {
		if d := b.src.delta(c); d*c.Truth < 0 {
			out = append(out, fault{c, math.Abs(d)})
		}
	}
	return out
}

// wrongAboutVotes are the questions whose Δσ has the other sign than the votes
// lean to, the widest gap between the two probabilities first.
func (b *builder) wrongAboutVotes(counts []votes.Counted) (out []fault) {
	for _, c := range counts {
		d := b.src.delta(c)
		if lean := c.Confidence - 0.5; d*lean < 0 {
			out = append(out, fault{c, math.Abs(1/(1+math.Exp(-d)) - c.Confidence)})
		}
	}
	return out
}

// asked are the questions of the kind a model was fitted to: as one annotator
// answered them, or without votes.
func (b *builder) asked(j *judge) []votes.Counted {
	kind := b.src.model.Header.Kind
	shared := kind == prefer.Shared || kind == prefer.SharedLabels
	switch {
	case j != nil && shared:
		return j.team
	case j != nil:
		return j.votes
	case shared:
		return b.src.team
	}
	return b.src.examples
}
