package study

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

// Draw says how the transitions that are kept are drawn from those seen.
type Draw string

// The ways of drawing.
const (
	DrawUniform Draw = "uniform" // every pair of states alike
	DrawRarity  Draw = "rarity"  // by how rare each agent's own change is
)

// drawFor is the default: nearly every joint pair of states of a large team is
// new, and a uniform choice of them shows again what each agent does most.
func drawFor(views int) Draw {
	if views > 4 {
		return DrawRarity
	}
	return DrawUniform
}

// rarity counts the changes of each agent's own view. A transition weighs
// Σ 1/(pairs with the same change) over the agents whose view changed, so that
// each change of each agent has about the same chance to be among those kept:
// in a large team nearly every joint pair of states is new, and most of them
// show again what each agent does most.
type rarity struct {
	pairs  []map[uint64]int // (agents,) by change
	before [][]float32      // (agents, focus) of the game at hand
	now    []float32
}

func newRarity(e envs.Env) (*rarity, error) {
	s := e.Spec()
	if _, ok := envs.As[envs.Focuser](e); !ok {
		return nil, fmt.Errorf("%w: %s tells no agent's own view, which rarity is counted by", ErrCollect, s.ID)
	}
	r := &rarity{before: make([][]float32, len(s.Agents))}
	for range s.Agents {
		r.pairs = append(r.pairs, map[uint64]int{})
	}
	return r, nil
}

// enter remembers the views before a step.
func (r *rarity) enter(e envs.Env) {
	f, _ := envs.As[envs.Focuser](e)
	for i := range r.before {
		r.before[i] = f.AppendFocus(r.before[i][:0], i)
	}
}

// changes calls do with each agent's change, where its view changed.
func (r *rarity) changes(e envs.Env, do func(agent int, change uint64)) {
	f, _ := envs.As[envs.Focuser](e)
	for i := range r.before {
		if r.now = f.AppendFocus(r.now[:0], i); !slices.Equal(r.now, r.before[i]) {
			do(i, votes.PairKey(r.before[i], r.now))
		}
	}
}

func (r *rarity) count(e envs.Env) {
	r.changes(e, func(agent int, change uint64) { r.pairs[agent][change]++ })
}

// weight is 0 where only what no agent sees has changed.
func (r *rarity) weight(e envs.Env) (w float64) {
	r.changes(e, func(agent int, change uint64) { w += 1 / float64(r.pairs[agent][change]) })
	return w
}

// weighed keeps a choice of at most size of what it is offered, drawn one after
// another with chances that go by weight (Efraimidis and Spirakis 2006, in the
// form with exponential keys). It is a heap with the greatest key on top.
type weighed struct {
	size int
	keys []float64
	kept []votes.Transition
}

// offer makes the transition only where it is taken.
func (r *weighed) offer(weight float64, rng *envs.Rand, t func() votes.Transition) {
	if weight == 0 || r.size == 0 {
		return
	}
	key := -math.Log(1-rng.Float64()) / weight
	switch {
	case len(r.keys) < r.size:
		r.keys, r.kept = append(r.keys, key), append(r.kept, t())
		heap.Fix(r, len(r.keys)-1)
	case key < r.keys[0]:
		r.keys[0], r.kept[0] = key, t()
		heap.Fix(r, 0)
	}
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (r *weighed) Len() int           { return len(r.keys) }
func (r *weighed) Less(i, j int) bool { return r.keys[i] > r.keys[j] }
func (r *weighed) Swap(i, j int) {
	r.keys[i], r.keys[j] = r.keys[j], r.keys[i]
	r.kept[i], r.kept[j] = r.kept[j], r.kept[i]
}

func (r *weighed) Push(any) { panic("study: kept with Fix alone") }
func (r *weighed) Pop() any { panic("study: kept with Fix alone") }
