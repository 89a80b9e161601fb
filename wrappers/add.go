package wrappers

import "marlpit/envs"

// add is potential-based shaping (Ng, Harada and Russell 1999): the team reward
// plus weight·(γσ(s') − σ(s))/sd.
type add struct{ shifted }

func newAdd(src source, r Reward) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&add{newShifted(e, src, r, 'a')})
	}
}

// Step implements envs.Env.
func (w *add) Step(a envs.Actions, out *envs.Frame) {
	w.step(a, out)
	for i, d := range w.advance(out, w.dead) {
		f := w.times[i] * d
		out.Rewards[i] = out.Team[i]
		switch {
		case w.dead[i]:
			out.Rewards[i], f = 0, 0
		case f == 0: // −0 too: the reward is the team's to the last bit
			f = 0
		default:
			out.Rewards[i] += f
		}
		w.note(out, i, f)
	}
	w.remember(out)
}

// Clone implements envs.Cloner.
func (w *add) Clone() envs.Env { return &add{w.copied()} }

// CloneInto implements envs.Cloner.
func (w *add) CloneInto(dst envs.Env) { w.copyInto(&dst.(*add).shifted) }
