package envtest

import (
	"math"
	"testing"

	"marlpit/envs"
)

// checkNoop tests that illegal and out-of-range choices, choices of agents that
// have ended, and choices in dimensions an agent doesn't have do nothing: the
// game goes as if the no-op were in their place.
func checkNoop(tb testing.TB, s *subject) {
	if s.spec.Continuous() {
		return
	}
	for _, seed := range seeds {
		got, want := s.play(tb, seed), s.play(tb, seed)
		for range horizon {
			want.random()
			spoil(got, want)
			if d := stepBoth(got, want); d != "" {
				tb.Fatalf("noop: seed %d, step %d: a choice without effect had one: %s", seed, want.t, d)
			}
		}
	}
}

func stepBoth(got, want *player) string {
	got.step(got.act)
	want.step(want.act)
	return same(got, want)
}

// spoil writes no-ops over some choices of want, and choices without effect in
// their place into got.
func spoil(got, want *player) {
	spec := want.spec
	dims := spec.ActionDims()
	copy(got.act.Choice, want.act.Choice)
	for i, space := range spec.Action {
		dead := want.frame.Terminated[i] || want.frame.Truncated[i]
		for d := range dims {
			at := i*dims + d
			switch {
			case d >= space.Size():
				want.act.Choice[at], got.act.Choice[at] = 0, wild(want, 1)
			case dead:
				want.act.Choice[at] = spec.Noop[at]
				got.act.Choice[at] = int32(want.rng.Intn(space.N[d]))
			case want.rng.Intn(2) == 0:
				want.act.Choice[at] = spec.Noop[at]
				got.act.Choice[at] = illegal(want, i, d)
			}
		}
	}
}

// illegal draws a masked-out choice, or one out of range where there is none.
func illegal(p *player, agent, dim int) int32 {
	mask := p.mask(agent, dim)
	start := p.rng.Intn(2 * len(mask)) // one draw in two is out of range
	if start < len(mask) {
		for k := range mask {
			if c := (start + k) % len(mask); mask[c] == 0 {
				return int32(c)
			}
		}
	}
	return wild(p, len(mask))
}

// wild draws a number that is no choice of n.
func wild(p *player, n int) int32 {
	all := [...]int32{-1, int32(n), int32(n) + 255, math.MaxInt32, math.MinInt32}
	return all[p.rng.Intn(len(all))]
}

// checkLengths tests that actions of a wrong length, a bug of the caller, panic.
func checkLengths(tb testing.TB, s *subject) {
	n := len(s.spec.Agents) * s.spec.ActionDims()
	for _, length := range []int{0, n - 1, n + 1} {
		p := s.play(tb, 1)
		a := envs.Actions{Choice: make([]int32, length)}
		if s.spec.Continuous() {
			a = envs.Actions{Value: make([]float32, length)}
		}
		if !panics(func() { p.env.Step(a, p.frame) }) {
			tb.Errorf("lengths: %d action elements where %d are right: no panic", length, n)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
