package wrappers

import (
	"slices"

	"marlpit/envs"
)

// replay plays joint actions in a copy of one game and says what each is worth.
// Every copy has the random stream of the game, and every roll-out of a step the
// same draws of the policy, so that two values differ by the actions alone.
type replay struct {
	*valuation
	real   envs.Cloner
	game   envs.Env // the copy
	spec   *envs.Spec
	frame  *envs.Frame  // of the copy
	solver envs.Solver  // of the copy; nil where nothing asks it
	act    envs.Actions // the joint action that is tried
	next   envs.Actions // those of a roll-out after it
	rng    envs.Rand
	seed   uint64 // of the roll-outs of this step

	ended   []bool // (agents,) before the step
	dead    []bool // (agents,) in the copy
	players []int  // the agents that act otherwise than the baseline does
	order   []int  // (players,) scratch of sampling
}

// newReplay makes the copy of a game. The world is a Cloner, and its solver,
// where one is asked, was prepared once already.
func newReplay(e envs.Env, v *valuation) *replay {
	c, _ := envs.As[envs.Cloner](e)
	game := c.Clone()
	spec := game.Spec()
	n := len(spec.Agents)
	r := &replay{
		valuation: v, real: c, game: game, spec: spec, frame: envs.NewFrame(spec), act: envs.NewActions(spec), next: envs.NewActions(spec),
		ended: make([]bool, n), dead: make([]bool, n), players: make([]int, 0, n), order: make([]int, 0, n),
	}
	if v.solved() {
		r.solver = mustSolve(game)
	}
	return r
}

// begin starts a step: who had ended before it, and who plays.
func (r *replay) begin(a envs.Actions, ended []bool, seed uint64) {
	copy(r.ended, ended)
	r.seed = seed
	r.players = r.players[:0]
	for i, out := range ended {
		if !out && !r.same(a, r.baseline, i) {
			r.players = append(r.players, i)
		}
	}
}

// value is what a joint action is worth.
func (r *replay) value() float64 {
	if r.Value == WorkValue {
		r.first()
		work, _ := r.solver.Remaining()
		return -min(work, r.cap)
	}
	if r.Value == TeamValue {
		return r.first()
	}
	r.rng.Seed(r.seed)
	n, sum := 1, 0.0
	if r.random() {
		n = r.Rollouts
	}
	for range n {
		sum += r.rollout()
	}
	return sum / float64(n)
}

// first plays the joint action in a fresh copy and returns the team's reward.
func (r *replay) first() float64 {
	r.real.CloneInto(r.game)
	copy(r.dead, r.ended)
	return r.play(r.act)
}

// rollout is the discounted return of the joint action and what follows it.
func (r *replay) rollout() float64 {
	sum, discount := r.first(), 1.0
	for t := 1; t < r.Horizon && !r.frame.Ended(); t++ {
		switch r.Policy {
		case RandomPolicy:
			envs.DrawLegal(r.spec, r.frame.Mask, &r.rng, r.next)
		case BestPolicy:
			r.next.Choice = r.solver.AppendBest(r.next.Choice[:0])
		default:
			r.put(r.next, r.noop, -1)
		}
		discount *= r.Discount
		sum += discount * r.play(r.next)
	}
	return sum
}

// play steps the copy and returns the team's reward: of a shared one an agent's
// that hadn't ended, of individual ones the sum over those.
func (r *replay) play(a envs.Actions) float64 {
	r.game.Step(a, r.frame)
	sum, paid := 0.0, false
	for i, v := range r.frame.Team {
		if !r.dead[i] && !(r.spec.Team && paid) {
			sum, paid = sum+float64(v), true
		}
		r.dead[i] = r.frame.Terminated[i] || r.frame.Truncated[i]
	}
	return sum
}

// put copies an agent's action, or with -1 all of them.
func (r *replay) put(dst, src envs.Actions, agent int) {
	low, high := r.span(agent)
	if src.Choice != nil {
		copy(dst.Choice[low:high], src.Choice[low:high])
		return
	}
	copy(dst.Value[low:high], src.Value[low:high])
}

// same says whether an agent's action is the same in both.
func (r *replay) same(a, b envs.Actions, agent int) bool {
	low, high := r.span(agent)
	if a.Choice != nil {
		return slices.Equal(a.Choice[low:high], b.Choice[low:high])
	}
	return slices.Equal(a.Value[low:high], b.Value[low:high])
}

func (r *replay) span(agent int) (low, high int) {
	dims := r.spec.ActionDims()
	if agent < 0 {
		return 0, dims * len(r.spec.Agents)
	}
	return dims * agent, dims * (agent + 1)
}
