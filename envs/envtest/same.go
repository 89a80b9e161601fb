package envtest

import "testing"

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
		alone.walk(steps)
		beside, other := s.play(tb, seed), s.play(tb, seed+7)
		for range steps {
			beside.step(beside.random())
			other.step(other.random())
			if other.frame.Ended() {
				other.reset(seed + uint64(beside.t))
			}
		}
		if d := same(beside, alone); d != "" {
			tb.Fatalf("independence: seed %d: a game played beside another differs from the same alone: %s", seed, d)
		}
	}
}

// walk plays n random steps, past the end of the episode too.
func (p *player) walk(n int) {
	for range n {
		p.step(p.random())
	}
}
