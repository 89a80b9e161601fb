package wrappers

import (
	"sync"
	"sync/atomic"

	"marlpit/envs"
)

// Sample is one step that a game took: a → b.
type Sample struct {
	A, B     []byte  // snapshots
	Choice   []int32 // joint action (agents, dims); empty for box actions
	Terminal bool    // the episode ended at b
}

const (
	sampleSlots = 256   // samples kept between two calls of Drain
	firstGap    = 8     // steps of a game from one sample to the next, on average
	mostGap     = 65536 // likewise, at most
	pause       = 256   // steps until a game looks again whether samples are wanted
)

// sampler keeps a uniform choice of the steps that games offer it. No step
// waits for it: one that finds it busy is left out.
type sampler struct {
	gap   atomic.Int64 // mean steps between two samples of a game; 0: none are wanted
	games atomic.Uint64
	id    uint64

	mu      sync.Mutex
	rng     envs.Rand
	slots   []Sample
	filled  int
	offered int
	spare   []Sample // what Drain gave out last
	resume  int64    // the gap to go on with
}

func (s *sampler) init(id uint64) {
	s.id, s.resume = id, firstGap
	s.slots, s.spare = make([]Sample, sampleSlots), make([]Sample, sampleSlots)
	s.rng.Seed(id)
}

// Want says whether games are to offer what they see.
func (l *Live) Want(samples bool) {
	s := &l.sampler
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case samples && s.gap.Load() == 0:
		s.gap.Store(s.resume)
	case !samples && s.gap.Load() != 0:
		s.resume = s.gap.Swap(0)
	}
}

// Drain returns the samples since the last call, at most 256, chosen evenly of
// all that were offered. They are good until the next call. Games sample more
// rarely after many were offered, and more often after few.
func (l *Live) Drain() []Sample {
	s := &l.sampler
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.slots[:s.filled]
	s.slots, s.spare = s.spare, s.slots
	if gap := s.gap.Load(); gap > 0 {
		switch {
		case s.offered > 2*sampleSlots:
			s.gap.Store(min(2*gap, mostGap))
		case s.offered < sampleSlots/2:
			s.gap.Store(max(gap/2, 1))
		}
	}
	s.filled, s.offered = 0, 0
	return out
}

// offer keeps a sample, or not; after tells b.
func (s *sampler) offer(before []byte, a envs.Actions, after envs.Snapshotter, ended bool) {
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	s.offered++
	at := s.filled
	if at < len(s.slots) {
		s.filled++
	} else if at = s.rng.Intn(s.offered); at >= len(s.slots) { // Vitter's algorithm R
		return
	}
	x := &s.slots[at]
	x.A = append(x.A[:0], before...)
	x.B = after.AppendSnapshot(x.B[:0])
	x.Choice = append(x.Choice[:0], a.Choice...)
	x.Terminal = ended
}

// sampling offers some of a game's steps, chosen by a generator of its own.
type sampling struct {
	env    envs.Env
	snap   envs.Snapshotter
	to     *sampler
	rng    envs.Rand
	left   int // steps until the next choice
	before []byte
}

// sampled wraps a game so that it offers what it sees. The game has snapshots.
func (l *Live) sampled(e envs.Env) envs.Env {
	w := newSampling(e, &l.sampler)
	if _, ok := envs.As[envs.Cloner](e); ok {
		return &samplingCloner{w}
	}
	return &w
}

func newSampling(e envs.Env, to *sampler) sampling {
	w := sampling{env: e, to: to}
	w.snap, _ = envs.As[envs.Snapshotter](e)
	w.rng.Seed(to.id + to.games.Add(1))
	w.left = 1 + w.rng.Intn(firstGap)
	return w
}

// Spec implements envs.Env.
func (w *sampling) Spec() *envs.Spec { return w.env.Spec() }

// Unwrap implements envs.Unwrapper.
func (w *sampling) Unwrap() envs.Env { return w.env }

// Reset implements envs.Env.
func (w *sampling) Reset(seed uint64, out *envs.Frame) { w.env.Reset(seed, out) }

// Step implements envs.Env.
func (w *sampling) Step(a envs.Actions, out *envs.Frame) {
	if w.left--; w.left > 0 {
		w.env.Step(a, out)
		return
	}
	gap := int(w.to.gap.Load())
	if gap == 0 {
		w.left = pause
		w.env.Step(a, out)
		return
	}
	w.left = 1 + w.rng.Intn(2*gap-1) // gap on average
	w.before = w.snap.AppendSnapshot(w.before[:0])
	w.env.Step(a, out)
	w.to.offer(w.before, a, w.snap, out.Ended())
}

// samplingCloner is sampling around a game that can be copied. A copy makes
// choices of its own.
type samplingCloner struct{ sampling }

// Clone implements envs.Cloner.
func (w *samplingCloner) Clone() envs.Env {
	inner, _ := envs.As[envs.Cloner](w.env)
	return &samplingCloner{newSampling(inner.Clone(), w.to)}
}

// CloneInto implements envs.Cloner.
func (w *samplingCloner) CloneInto(dst envs.Env) {
	from, _ := envs.As[envs.Cloner](w.env)
	to, _ := envs.As[envs.Cloner](dst.(*samplingCloner).env)
	from.CloneInto(to.(envs.Env))
}
