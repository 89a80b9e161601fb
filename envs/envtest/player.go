package envtest

import (
	"math"
	"testing"

	"marlpit/envs"
)

// player plays one environment with actions of its own random stream, on a
// frame that is full of rubbish before each call.
type player struct {
	spec  *envs.Spec
	env   envs.Env
	frame *envs.Frame
	dead  []bool // (agents,) had ended before the last step
	rng   envs.Rand
	act   envs.Actions
	t     int // steps since reset or restore
	dirt  byte

	restored bool // the episode began with a snapshot
}

// play builds an environment and resets it; actions come from the stream of seed.
func (s *subject) play(tb testing.TB, seed uint64) *player {
	tb.Helper()
	p := newPlayer(s.build(tb), seed)
	p.reset(seed)
	return p
}

func newPlayer(e envs.Env, seed uint64) *player {
	s := e.Spec()
	p := &player{spec: s, env: e, frame: envs.NewFrame(s), dead: make([]bool, len(s.Agents)), dirt: 0xaa}
	p.rng.Seed(seed ^ 0x5eed)
	n := len(s.Agents) * s.ActionDims()
	if s.Continuous() {
		p.act.Value = make([]float32, n)
	} else {
		p.act.Choice = make([]int32, n)
	}
	return p
}

func (p *player) reset(seed uint64) {
	p.soil()
	p.t, p.restored = 0, false
	clear(p.dead)
	p.env.Reset(seed, p.frame)
}

// step plays an action and remembers who had ended before it.
func (p *player) step(a envs.Actions) {
	for i := range p.dead {
		p.dead[i] = p.frame.Terminated[i] || p.frame.Truncated[i]
	}
	p.soil()
	p.t++
	p.env.Step(a, p.frame)
}

// wander plays up to n random legal steps and stops when the episode ends.
func (p *player) wander(n int) {
	for range n {
		if p.frame.Ended() {
			return
		}
		p.step(p.random())
	}
}

// random draws a joint action among the legal ones. The memory is the player's.
func (p *player) random() envs.Actions {
	dims := p.spec.ActionDims()
	for i, space := range p.spec.Action {
		for d := range space.Size() {
			if space.Kind == envs.Box {
				low, high := bound(space.Low, d), bound(space.High, d)
				p.act.Value[i*dims+d] = low + float32(p.rng.Float64())*(high-low)
			} else {
				p.act.Choice[i*dims+d] = p.legal(i, d)
			}
		}
	}
	return p.act
}

// legal draws a choice the mask allows in one dimension of an agent's action.
func (p *player) legal(agent, dim int) int32 {
	mask := p.mask(agent, dim)
	start := p.rng.Intn(len(mask))
	for k := range mask {
		if c := (start + k) % len(mask); mask[c] == 1 {
			return int32(c)
		}
	}
	return p.spec.Noop[agent*p.spec.ActionDims()+dim]
}

// mask is the part of the mask that belongs to one dimension of an agent's action.
func (p *player) mask(agent, dim int) []uint8 {
	at := agent * p.spec.Choices()
	n := p.spec.Action[agent].N
	for _, k := range n[:dim] {
		at += k
	}
	return p.frame.Mask[at : at+n[dim]]
}

// soil fills the frame with rubbish that no world writes.
func (p *player) soil() {
	nan := math.Float32frombits(0x7fc00000 | uint32(p.dirt))
	f := p.frame
	for _, s := range [][]float32{f.Obs, f.State, f.Rewards, f.Team, f.Info} {
		fill(s, nan)
	}
	fill(f.Pixels, p.dirt)
	fill(f.Mask, p.dirt)
	fill(f.Terminated, p.dirt&1 == 1)
	fill(f.Truncated, p.dirt&1 == 1)
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// bound is the bound of one element of a Box.
func bound(b []float32, i int) float32 {
	if len(b) == 1 {
		return b[0]
	}
	return b[i]
}
