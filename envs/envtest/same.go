package envtest

import (
	"testing"

	"marlpit/envs"
)

// checkDeterminism tests that equal seeds give equal episodes: in two
// instances, and in one that has played something else before.
func checkDeterminism(tb testing.TB, s *subject) {
	for _, seed := range seeds {
		fresh, used := s.play(tb, seed), s.play(tb, seed+1)
		used.wander(horizon / 2)
		used.reset(seed)
		if d := same(used, fresh); d != "" {
			tb.Fatalf("determinism: seed %d: a reset after another episode differs from a first one: %s", seed, d)
		}
		if d := lockstep(used, fresh, horizon); d != "" {
			tb.Fatalf("determinism: seed %d: equal seeds and actions, unequal games: %s", seed, d)
		}
	}
}

// checkIndependence tests that two instances don't know of each other: a game
// played beside another goes as it does alone.
func checkIndependence(tb testing.TB, s *subject) {
	const steps = 40
	for _, seed := range seeds {
		alone := s.play(tb, seed)
		want := make([]envs.Frame, steps)
		for n := range want {
			alone.step(alone.random())
			f := envs.NewFrame(s.spec)
			f.Copy(alone.frame)
			want[n] = *f
		}
		beside, other := s.play(tb, seed), s.play(tb, seed+7)
		for n := range want {
			beside.step(beside.random())
			if d := diff(beside.frame, &want[n]); d != "" {
				tb.Fatalf("independence: seed %d, step %d: a game played beside another differs from the same alone: %s", seed, beside.t, d)
			}
			other.step(other.random())
			if other.frame.Ended() {
				other.reset(seed + uint64(n))
			}
		}
	}
}

// checkBatch tests that a game plays in a row of a batch as it does in a frame
// of its own, and writes to its own row only.
func checkBatch(tb testing.TB, s *subject) {
	p := s.play(tb, 3)
	batch, clean := envs.NewBatch(s.spec, 3, false), envs.NewBatch(s.spec, 3, false)
	row := batch.Row(1)
	e := s.build(tb)
	e.Reset(3, &row)
	for range horizon {
		if d := diff(&row, p.frame); d != "" {
			tb.Fatalf("batch: step %d: a row differs from a frame: %s", p.t, d)
		}
		for _, i := range []int{0, 2} {
			neighbour, zero := batch.Row(i), clean.Row(i)
			if d := diff(&neighbour, &zero); d != "" {
				tb.Fatalf("batch: step %d: row 1 was written, and row %d with it: %s", p.t, i, d)
			}
		}
		a := p.random()
		p.step(a)
		e.Step(a, &row)
	}
}
