package wrappers

import "marlpit/envs"

// spread says what of the team's differences an agent gets.
type spread uint8

const (
	own  spread = iota // its own
	mean               // the mean over the team
	sum                // the sum over the team
)

// credit replaces the team reward by each agent's potential difference.
type credit struct {
	shaped
	differences
	of     func(envs.Env) sigma
	spread spread
	times  []float32 // (agents,) scale/sd
}

// newCredit is the wrapper of the schemes credit, credit-mean, sum, shared,
// coin and oracle.
func newCredit(src source, r Reward, how spread) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&credit{
			shaped: newShaped(e, r, src.version), differences: newDifferences(e, src, r),
			of: src.of, spread: how, times: src.multipliers(r.Scale),
		})
	}
}

// Reset implements envs.Env.
func (c *credit) Reset(seed uint64, out *envs.Frame) {
	c.reset(seed, out)
	c.enter(out)
	c.quiet(out)
}

// Step implements envs.Env.
func (c *credit) Step(a envs.Actions, out *envs.Frame) {
	c.step(a, out)
	delta := c.advance(out, c.dead)
	var team float32
	for i := range delta {
		delta[i] *= c.times[i]
		team += delta[i]
	}
	if c.spread == mean {
		team /= float32(len(delta))
	}
	for i, d := range delta {
		if c.spread != own {
			d = team
		}
		c.replace(out, i, d)
	}
	c.remember(out)
}

const creditTag = 'c'

// AppendSnapshot implements envs.Snapshotter.
func (c *credit) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](c.env)
	return inner.AppendSnapshot(appendFloats(c.appendState(dst, creditTag), c.prev))
}

// Restore implements envs.Snapshotter.
func (c *credit) Restore(snapshot []byte, out *envs.Frame) error {
	potentials, err := c.checkState(snapshot, creditTag)
	if err != nil {
		return err
	}
	rest, err := checkFloats(potentials, len(c.prev), maxSigma)
	if err != nil {
		return err
	}
	if err := c.restore(rest, out); err != nil {
		return err
	}
	for i := range c.prev {
		c.prev[i] = floatOf(potentials, i)
	}
	c.setState(snapshot, out)
	return nil
}

// Clone implements envs.Cloner.
func (c *credit) Clone() envs.Env {
	d := *c
	d.shaped = c.shaped.cloned()
	d.differences = c.differences.cloned(d.env, c.of)
	return &d
}

// CloneInto implements envs.Cloner.
func (c *credit) CloneInto(dst envs.Env) {
	d := dst.(*credit)
	c.shaped.cloneInto(&d.shaped)
	copy(d.prev, c.prev)
}
