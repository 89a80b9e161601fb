package wrappers

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

// counterfactual replaces the team reward by what an agent's own action made of
// the step: scale·credit_i + bonus·[success] − step_cost. The credits come from
// values of other joint actions, played in a copy of the game before the step
// is; the game itself and its random stream are left alone.
type counterfactual struct {
	shaped
	how    *valuation
	scale  float64
	replay *replay
	credit []float64 // (agents,)
	seed   uint64    // of the episode
	t      uint64    // steps since its reset
}

// split writes each agent's share of what a joint action is worth; credit
// (agents,) holds zeros.
type split func(r *replay, a envs.Actions, credit []float64)

func newCounterfactual(v *valuation, r Reward) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&counterfactual{
			shaped: newShaped(e, r, 0), how: v, scale: r.Scale, replay: newReplay(e, v), credit: make([]float64, len(e.Spec().Agents)),
		})
	}
}

// Reset implements envs.Env.
func (c *counterfactual) Reset(seed uint64, out *envs.Frame) {
	c.seed, c.t = seed, 0
	c.reset(seed, out)
	c.quiet(out)
}

// Step implements envs.Env.
func (c *counterfactual) Step(a envs.Actions, out *envs.Frame) {
	c.spec.CheckActions(a)
	clear(c.credit)
	c.replay.begin(a, c.dead, envs.EpisodeSeed(c.seed, int(c.how.Seed), int(c.t)))
	c.how.split(c.replay, a, c.credit)
	c.t++
	c.step(a, out)
	for i, v := range c.credit {
		c.replace(out, i, float32(c.scale*v))
	}
	c.remember(out)
}

const (
	counterfactualTag = 'x'
	counterfactualEnd = 16 // bytes of the seed and the step in a snapshot
)

// AppendSnapshot implements envs.Snapshotter.
func (c *counterfactual) AppendSnapshot(dst []byte) []byte {
	dst = c.appendState(dst, counterfactualTag)
	dst = binary.LittleEndian.AppendUint64(dst, c.seed)
	dst = binary.LittleEndian.AppendUint64(dst, c.t)
	inner, _ := envs.As[envs.Snapshotter](c.env)
	return inner.AppendSnapshot(dst)
}

// Restore implements envs.Snapshotter.
func (c *counterfactual) Restore(snapshot []byte, out *envs.Frame) error {
	rest, err := c.checkState(snapshot, counterfactualTag)
	if err != nil {
		return err
	}
	if len(rest) < counterfactualEnd {
		return fmt.Errorf("%w: it ends within the part of the reward scheme", envs.ErrSnapshot)
	}
	if err := c.restore(rest[counterfactualEnd:], out); err != nil {
		return err
	}
	c.seed, c.t = binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:])
	c.setState(snapshot, out)
	return nil
}

// Clone implements envs.Cloner.
func (c *counterfactual) Clone() envs.Env {
	d := *c
	d.shaped = c.shaped.cloned()
	d.replay = newReplay(d.env, c.how)
	d.credit = make([]float64, len(c.credit))
	return &d
}

// CloneInto implements envs.Cloner.
func (c *counterfactual) CloneInto(dst envs.Env) {
	d := dst.(*counterfactual)
	c.shaped.cloneInto(&d.shaped)
	d.seed, d.t = c.seed, c.t
}
