package wrappers

import "marlpit/envs"

// momentary replaces the team reward by something that depends on the step
// alone: the schemes direct, none and expert.
type momentary struct {
	shaped
	of    func(envs.Env) payer
	payer payer
	pay   []float32 // (agents,)
}

// payer gives the shaping of the last step of one game.
type payer interface {
	read(state []float32, dst []float32) // dst (agents,)
}

func newMomentary(of func(envs.Env) payer, r Reward, version int) envs.Wrapper {
	return func(e envs.Env) envs.Env {
		s := newShaped(e, r, version)
		return able(&momentary{shaped: s, of: of, payer: of(e), pay: make([]float32, len(s.dead))})
	}
}

// Reset implements envs.Env.
func (m *momentary) Reset(seed uint64, out *envs.Frame) {
	m.reset(seed, out)
	m.quiet(out)
}

// Step implements envs.Env.
func (m *momentary) Step(a envs.Actions, out *envs.Frame) {
	m.step(a, out)
	m.payer.read(out.State, m.pay)
	for i, v := range m.pay {
		m.replace(out, i, v)
	}
	m.remember(out)
}

const momentaryTag = 'm'

// AppendSnapshot implements envs.Snapshotter.
func (m *momentary) AppendSnapshot(dst []byte) []byte {
	inner, _ := envs.As[envs.Snapshotter](m.env)
	return inner.AppendSnapshot(m.appendState(dst, momentaryTag))
}

// Restore implements envs.Snapshotter.
func (m *momentary) Restore(snapshot []byte, out *envs.Frame) error {
	rest, err := m.checkState(snapshot, momentaryTag)
	if err != nil {
		return err
	}
	if err := m.restore(rest, out); err != nil {
		return err
	}
	m.setState(snapshot, out)
	return nil
}

// Clone implements envs.Cloner.
func (m *momentary) Clone() envs.Env {
	d := *m
	d.shaped = m.shaped.cloned()
	d.payer = m.of(d.env)
	d.pay = make([]float32, len(m.pay))
	return &d
}

// CloneInto implements envs.Cloner.
func (m *momentary) CloneInto(dst envs.Env) { m.shaped.cloneInto(&dst.(*momentary).shaped) }
