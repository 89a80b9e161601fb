package wrappers

import "marlpit/envs"

// add is potential-based shaping (Ng, Harada and Russell 1999): the team reward
// plus weight·(γσ(s') − σ(s)).
type add struct {
	shaped
	differences
	of     func(envs.Env) sigma
	weight float32
}

func newAdd(src source, r Reward) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		return able(&add{
			shaped: newShaped(e, r, src.version), differences: newDifferences(e, src, r),
			of: src.of, weight: float32(r.Weight),
		})
	}
}

// Reset implements envs.Env.
func (w *add) Reset(seed uint64, out *envs.Frame) {
	w.reset(seed, out)
	w.enter(out)
	w.quiet(out)
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

const addTag = 'a'

// AppendSnapshot implements envs.Snapshotter.
func (w *add) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](w.env)
	return inner.AppendSnapshot(appendFloats(w.appendState(dst, addTag), w.prev))
}

// Restore implements envs.Snapshotter.
func (w *add) Restore(snapshot []byte, out *envs.Frame) error {
	potentials, err := w.checkState(snapshot, addTag)
	if err != nil {
		return err
	}
	rest, err := checkFloats(potentials, len(w.prev), maxSigma)
	if err != nil {
		return err
	}
	if err := w.restore(rest, out); err != nil {
		return err
	}
	for i := range w.prev {
		w.prev[i] = floatOf(potentials, i)
	}
	w.setState(snapshot, out)
	return nil
}

// Clone implements envs.Cloner.
func (w *add) Clone() envs.Env {
	d := *w
	d.shaped = w.shaped.cloned()
	d.differences = w.differences.cloned(d.env, w.of)
	return &d
}

// CloneInto implements envs.Cloner.
func (w *add) CloneInto(dst envs.Env) {
	d := dst.(*add)
	w.shaped.cloneInto(&d.shaped)
	copy(d.prev, w.prev)
}
