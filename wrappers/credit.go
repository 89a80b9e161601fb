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
	shifted
	spread spread
}

// newCredit is the wrapper of the schemes credit, credit-mean, sum, shared,
// coin and oracle.
func newCredit(src source, r Reward, how spread) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&credit{newShifted(e, src, r, 'c'), how})
	}
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

// Clone implements envs.Cloner.
func (c *credit) Clone() envs.Env {
	return &credit{c.copied(), c.spread}
}

// CloneInto implements envs.Cloner.
func (c *credit) CloneInto(dst envs.Env) { c.copyInto(&dst.(*credit).shifted) }
