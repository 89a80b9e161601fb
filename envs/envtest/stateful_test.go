package envtest_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"marlpit/envs"
	"marlpit/envs/envtest"
)

// tally is a wrapper with state, written as wrappers should be: it adds an info
// column, the number of steps, and pays by it.
type tally struct {
	inner envs.Env
	spec  *envs.Spec
	info  []float32  // (agents, info of the game) scratch
	frame envs.Frame // the caller's, with info and flags of our own: who has ended is state
	steps int
}

func newTally(e envs.Env) envs.Env {
	spec := *e.Spec()
	spec.Info = append(append([]string(nil), spec.Info...), "steps")
	return &tally{
		inner: e, spec: &spec,
		info:  make([]float32, len(spec.Agents)*len(e.Spec().Info)),
		frame: envs.Frame{Terminated: make([]bool, len(spec.Agents)), Truncated: make([]bool, len(spec.Agents))},
	}
}

func (w *tally) Spec() *envs.Spec { return w.spec }
func (w *tally) Unwrap() envs.Env { return w.inner }

func (w *tally) Reset(seed uint64, out *envs.Frame) {
	w.steps = 0
	w.inner.Reset(seed, w.through(out))
	w.write(out)
}

func (w *tally) Step(a envs.Actions, out *envs.Frame) {
	over := w.frame.Ended()
	w.inner.Step(a, w.through(out))
	if !over {
		w.steps++
		for i := range out.Rewards {
			if out.Rewards[i] != 0 {
				out.Rewards[i] *= float32(w.steps)
			}
		}
	}
	w.write(out)
}

// through is out with room for the game's own info, and with our flags.
func (w *tally) through(out *envs.Frame) *envs.Frame {
	f := *out
	f.Info = w.info
	f.Terminated, f.Truncated = w.frame.Terminated, w.frame.Truncated
	w.frame = f
	return &w.frame
}

func (w *tally) write(out *envs.Frame) {
	copy(out.Terminated, w.frame.Terminated)
	copy(out.Truncated, w.frame.Truncated)
	k := len(w.inner.Spec().Info)
	for i := range w.spec.Agents {
		copy(out.Info[i*(k+1):], w.info[i*k:(i+1)*k])
		out.Info[i*(k+1)+k] = float32(w.steps)
	}
}

func (w *tally) AppendSnapshot(dst []byte) []byte {
	s, _ := envs.As[envs.Snapshotter](w.inner)
	return s.AppendSnapshot(binary.LittleEndian.AppendUint32(dst, uint32(w.steps)))
}

func (w *tally) Restore(snapshot []byte, out *envs.Frame) error {
	if len(snapshot) < 4 || binary.LittleEndian.Uint32(snapshot) > 1<<20 {
		return fmt.Errorf("%w: no count of steps", envs.ErrSnapshot)
	}
	s, _ := envs.As[envs.Snapshotter](w.inner)
	if err := s.Restore(snapshot[4:], w.through(out)); err != nil {
		return err
	}
	w.steps = int(binary.LittleEndian.Uint32(snapshot))
	w.write(out)
	return nil
}

func (w *tally) Clone() envs.Env {
	c, _ := envs.As[envs.Cloner](w.inner)
	d := newTally(c.Clone()).(*tally)
	w.copyTo(d)
	return d
}

func (w *tally) CloneInto(dst envs.Env) {
	d := dst.(*tally)
	c, _ := envs.As[envs.Cloner](w.inner)
	c.CloneInto(d.inner)
	w.copyTo(d)
}

func (w *tally) copyTo(d *tally) {
	d.steps = w.steps
	copy(d.frame.Terminated, w.frame.Terminated)
	copy(d.frame.Truncated, w.frame.Truncated)
}

func TestAWrapperWithStateKeepsTheContract(t *testing.T) {
	for _, id := range []string{"test-count-v0", "test-pixels-v0", "test-stages-v0", "test-uneven-v0"} {
		t.Run(id, func(t *testing.T) { envtest.RunWrapped(t, entry(t, id), newTally) })
	}
}
