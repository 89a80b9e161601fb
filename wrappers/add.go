package wrappers

import "marlpit/envs"

// add is potential-based shaping (Ng, Harada and Russell 1999): the team reward
// plus weight·(γσ(s') − σ(s)).
type add struct {
	shifted
	weight float32
}

func newAdd(src source, r Reward) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&add{newShifted(e, src, r, 'a'), float32(r.Weight)})
	}
}

// Step implements envs.Env.
func (w *add) Step(a envs.Actions, out *envs.Frame) {
	w.step(a, out)
	for i, d := range w.advance(out, w.dead) {
		f := w.weight * d
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
func (w *add) Clone() envs.Env { return &add{w.copied(), w.weight} }

// CloneInto implements envs.Cloner.
func (w *add) CloneInto(dst envs.Env) { w.copyInto(&dst.(*add).shifted) }
