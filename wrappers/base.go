package wrappers

import (
	"fmt"

	"marlpit/envs"
)

// base is what the wrappers share: the game inside, a frame for it that borrows
// the caller's memory all but the info rows, the extended spec, and who had
// ended and who had success before the step.
type base struct {
	env   envs.Env
	spec  *envs.Spec
	frame envs.Frame // borrowed during a call, else empty but for Info
	info  []float32  // (agents, inner info)
	width int        // of inner info
	win   int        // inner column success, or -1
	dead  []bool     // (agents,) had ended before the step
	won   []bool     // (agents,) had success before the step
}

func newBase(e envs.Env, columns ...string) base {
	inner := e.Spec()
	spec := *inner
	spec.Info = append(append([]string(nil), inner.Info...), columns...)
	for _, c := range columns {
		if inner.InfoColumn(c) >= 0 {
			panic(fmt.Sprintf("wrappers: %s has an info column %s already", inner.ID, c))
		}
	}
	n := len(inner.Agents)
	return base{
		env: e, spec: &spec, info: make([]float32, n*len(inner.Info)), width: len(inner.Info),
		win: inner.InfoColumn("success"), dead: make([]bool, n), won: make([]bool, n),
	}
}

// Spec implements envs.Env.
func (b *base) Spec() *envs.Spec { return b.spec }

// Unwrap implements envs.Unwrapper.
func (b *base) Unwrap() envs.Env { return b.env }

// reset resets the game inside.
func (b *base) reset(seed uint64, out *envs.Frame) {
	b.lend(out)
	b.env.Reset(seed, &b.frame)
	b.giveBack(out)
	b.remember(out)
}

// step steps the game inside. dead and won are then those before the step,
// until remember is called.
func (b *base) step(a envs.Actions, out *envs.Frame) {
	b.lend(out)
	b.env.Step(a, &b.frame)
	b.giveBack(out)
}

// restore restores the game inside; out is written only if that succeeds.
func (b *base) restore(snapshot []byte, out *envs.Frame) error {
	s, ok := envs.As[envs.Snapshotter](b.env)
	if !ok {
		return fmt.Errorf("%w: %s has no snapshots", envs.ErrSnapshot, b.spec.ID)
	}
	b.lend(out)
	err := s.Restore(snapshot, &b.frame)
	if err != nil {
		b.frame = envs.Frame{}
		return err
	}
	b.giveBack(out)
	b.remember(out)
	return nil
}

func (b *base) lend(out *envs.Frame) {
	b.frame = *out
	b.frame.Info = b.info
}

func (b *base) giveBack(out *envs.Frame) {
	b.frame = envs.Frame{} // nothing of the caller's is kept
	w := len(b.spec.Info)
	for i := range b.dead {
		copy(out.Info[i*w:], b.info[i*b.width:(i+1)*b.width])
	}
}

// remember notes who has ended and who has had success.
func (b *base) remember(out *envs.Frame) {
	for i := range b.dead {
		b.dead[i] = out.Terminated[i] || out.Truncated[i]
		b.won[i] = b.success(i)
	}
}

func (b *base) success(agent int) bool {
	return b.win >= 0 && b.info[agent*b.width+b.win] == 1
}

// column is the place of the k-th added info column of an agent.
func (b *base) column(agent, k int) int { return agent*len(b.spec.Info) + b.width + k }

// cloned is a copy with memory of its own around a copy of the game inside.
func (b *base) cloned() base {
	c := *b
	inner, _ := envs.As[envs.Cloner](b.env)
	c.env = inner.Clone()
	c.info = append([]float32(nil), b.info...)
	c.dead = append([]bool(nil), b.dead...)
	c.won = append([]bool(nil), b.won...)
	return c
}

func (b *base) cloneInto(dst *base) {
	from, _ := envs.As[envs.Cloner](b.env)
	to, _ := envs.As[envs.Cloner](dst.env)
	from.CloneInto(to.(envs.Env))
	copy(dst.info, b.info)
	copy(dst.dead, b.dead)
	copy(dst.won, b.won)
}
