package prefer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"marlpit/shaping"
)

// Pair is the vote on one transition a → b of one agent.
type Pair struct {
	Agent          int         // ignored by the kinds Shared and SharedLabels
	StateA, StateB []float32   // (state,)
	FocusA, FocusB []float32   // (focus,); nil where the world has none
	ViewsA, ViewsB [][]float32 // (agents, focus) every agent's, for the kind SharedLabels
	C              float64     // confidence that b ≻ a, in [0,1]; 0.5 is a tie
	Weight         float64     // of the pair; 0 counts as 1
	Text           int64       // equal for questions in equal words, which make one cluster; 0: unknown
	Held           bool        // kept for testing; where no pair is, Fit draws them
}

// group is the nets that are fitted together, with their pairs.
type group struct {
	agents      []int // whose nets, in the model's order
	additive    bool  // the sum of the nets' Δσ explains the votes
	train, held []*Pair
}

// sides are what net k of the group reads of a pair.
func (g *group) sides(p *Pair, k int, in shaping.Input) (a, b []float32) {
	switch {
	case g.additive:
		return p.ViewsA[k], p.ViewsB[k]
	case in == shaping.Focus:
		return p.FocusA, p.FocusB
	}
	return p.StateA, p.StateB
}

// split checks the pairs and sorts them by group; where none is marked as held,
// it draws some of each group's.
func split(w World, pairs []Pair, opt Options) ([]group, error) {
	sets := make([]group, opt.Kind.nets(len(w.Agents)))
	if opt.Kind == SharedLabels {
		sets = make([]group, 1)
		sets[0].additive = true
	}
	marked := false
	for k := range pairs {
		if err := pairs[k].check(w, opt); err != nil {
			return nil, fmt.Errorf("%w: pair %d: %w", ErrPairs, k, err)
		}
		marked = marked || pairs[k].Held
	}
	for k := range pairs {
		p, at := &pairs[k], 0
		if len(sets) > 1 {
			at = p.Agent
		}
		if p.Held {
			sets[at].held = append(sets[at].held, p)
		} else {
			sets[at].train = append(sets[at].train, p)
		}
	}
	for i := range sets {
		s := &sets[i]
		s.agents = []int{i}
		if s.additive {
			s.agents = make([]int, len(w.Agents))
			for k := range s.agents {
				s.agents[k] = k
			}
		}
		if !marked {
			s.held, s.train = draw(s.train, opt.HeldOut, rand.New(rand.NewPCG(opt.Seed, uint64(i)<<16|1)))
		}
		if len(s.train) == 0 {
			if opt.Kind == Shared || opt.Kind == SharedLabels {
				return nil, fmt.Errorf("%w: no pairs to fit to", ErrPairs)
			}
			return nil, fmt.Errorf("%w: no pairs to fit to for %s", ErrPairs, w.Agents[i])
		}
	}
	return sets, nil
}

// draw takes a share of what is there at random.
func draw[T any](from []T, share float64, rng *rand.Rand) (drawn, rest []T) {
	from = slices.Clone(from)
	shuffle(rng, from)
	n := int(share * float64(len(from)))
	return from[:n], from[n:]
}

func (p *Pair) check(w World, opt Options) error {
	team := opt.Kind == Shared || opt.Kind == SharedLabels
	switch {
	case !team && (p.Agent < 0 || p.Agent >= len(w.Agents)):
		return fmt.Errorf("agent %d, want 0 to %d", p.Agent, len(w.Agents)-1)
	case !(p.C >= 0 && p.C <= 1):
		return fmt.Errorf("confidence %v, want 0 to 1", p.C)
	case !(p.Weight >= 0 && p.Weight <= 1e6):
		return fmt.Errorf("weight %v, want 0 to 1e6", p.Weight)
	case len(p.StateA) != w.StateSize || len(p.StateB) != w.StateSize:
		return fmt.Errorf("states of %d and %d elements, want %d", len(p.StateA), len(p.StateB), w.StateSize)
	}
	all := [][]float32{p.StateA, p.StateB}
	switch {
	case opt.Kind == SharedLabels:
		if len(p.ViewsA) != len(w.Agents) || len(p.ViewsB) != len(w.Agents) {
			return fmt.Errorf("views of %d and %d agents, want %d", len(p.ViewsA), len(p.ViewsB), len(w.Agents))
		}
		for i, n := range w.FocusSizes {
			if len(p.ViewsA[i]) != n || len(p.ViewsB[i]) != n {
				return fmt.Errorf("%d and %d focus features of %s, want %d", len(p.ViewsA[i]), len(p.ViewsB[i]), w.Agents[i], n)
			}
		}
		all = append(append(all, p.ViewsA...), p.ViewsB...)
	case opt.Input != shaping.State:
		if n := w.FocusSizes[p.Agent]; len(p.FocusA) != n || len(p.FocusB) != n {
			return fmt.Errorf("%d and %d focus features, want %d", len(p.FocusA), len(p.FocusB), n)
		}
		all = append(all, p.FocusA, p.FocusB)
	}
	for _, x := range all {
		for _, v := range x {
			if !(math.Abs(float64(v)) <= 1e6) {
				return fmt.Errorf("a feature is %v, want -1e6 to 1e6", v)
			}
		}
	}
	return nil
}

func (p *Pair) weight() float64 {
	if p.Weight == 0 {
		return 1
	}
	return p.Weight
}

// data is a group's training pairs as its nets read them.
type data struct {
	a, b       [][]sparse  // (nets, pairs)
	scale      [][]float64 // (nets, features) greatest absolute value of each, at least 1
	c, weights []float64   // (pairs,)
	same       []bool      // (pairs,) both sides are equal to every net
}

func (g *group) data(in shaping.Input) *data {
	d := &data{same: make([]bool, len(g.train))}
	for i, p := range g.train {
		d.c, d.weights = append(d.c, p.C), append(d.weights, p.weight())
		d.same[i] = g.same(p, in)
	}
	for k := range g.agents {
		var scale []float64
		for _, p := range g.train {
			a, b := g.sides(p, k, in)
			if scale == nil {
				scale = make([]float64, len(a))
			}
			for f := range scale {
				scale[f] = max(scale[f], 1, math.Abs(float64(a[f])), math.Abs(float64(b[f])))
			}
		}
		sa, sb := make([]sparse, len(g.train)), make([]sparse, len(g.train))
		for i, p := range g.train {
			a, b := g.sides(p, k, in)
			sa[i], sb[i] = thin(a, scale), thin(b, scale)
		}
		d.a, d.b, d.scale = append(d.a, sa), append(d.b, sb), append(d.scale, scale)
	}
	return d
}

// same tells whether a pair's sides are equal to every net of the group.
func (g *group) same(p *Pair, in shaping.Input) bool {
	for k := range g.agents {
		if a, b := g.sides(p, k, in); !slices.Equal(a, b) {
			return false
		}
	}
	return true
}

func shuffle[T any](rng *rand.Rand, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := int(rng.Uint64() % uint64(i+1)) // the bias is below 2⁻⁴⁰; the stream is ours to fix
		s[i], s[j] = s[j], s[i]
	}
}
