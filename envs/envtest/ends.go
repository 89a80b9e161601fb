package envtest

import (
	"maps"
	"testing"
)

// checkEnds tests that ends are final: flags and success stay until a reset,
// and a game that is over stays as it is.
func checkEnds(tb testing.TB, s *subject) {
	for _, seed := range seeds {
		p, was := s.play(tb, seed), s.play(tb, seed)
		column, width := s.spec.InfoColumn("success"), len(s.spec.Info)
		for over := 0; p.t < 10*horizon && over < 5; {
			was.frame.Copy(p.frame)
			p.step(p.random())
			for i, name := range s.spec.Agents {
				if was.frame.Terminated[i] && !p.frame.Terminated[i] || was.frame.Truncated[i] && !p.frame.Truncated[i] {
					tb.Fatalf("ends: seed %d, step %d: %s had ended and plays again", seed, p.t, name)
				}
				if p.dead[i] && (was.frame.Terminated[i] != p.frame.Terminated[i] || was.frame.Truncated[i] != p.frame.Truncated[i]) {
					tb.Fatalf("ends: seed %d, step %d: %s had ended and has ended anew in another way", seed, p.t, name)
				}
				if k := i*width + column; was.frame.Info[k] == 1 && p.frame.Info[k] != 1 {
					tb.Fatalf("ends: seed %d, step %d: success of %s was taken back", seed, p.t, name)
				}
			}
			if was.frame.Ended() {
				over++
				for _, d := range []string{
					diffSlice("obs", p.frame.Obs, was.frame.Obs), diffSlice("pixels", p.frame.Pixels, was.frame.Pixels),
					diffSlice("mask", p.frame.Mask, was.frame.Mask), diffSlice("state", p.frame.State, was.frame.State),
				} {
					if d != "" {
						tb.Fatalf("ends: seed %d, step %d: the game was over and changed: %s", seed, p.t, d)
					}
				}
				checkRewards(tb, s, p)
			}
		}
		p.reset(seed)
		checkRewards(tb, s, p) // nobody has ended after a reset
	}
}

// checkLimit tests that a limit truncates all who are left, in its step, not
// before it, and terminates nobody: the same game with a later limit shows who
// would have ended anyway.
func checkLimit(tb testing.TB, s *subject) {
	const limit = 7
	short, long := s.limited(limit), s.limited(10*limit)
	if short == nil || long == nil {
		checkOwnLimit(tb, s)
		return
	}
	for _, seed := range seeds {
		a, b := short.play(tb, seed), long.play(tb, seed)
		if a.spec.MaxCycles != limit {
			tb.Fatalf("limit: max_cycles %d gives Spec.MaxCycles %d", limit, a.spec.MaxCycles)
		}
		for range limit {
			act := a.random()
			a.step(act)
			b.step(act)
			for i, name := range a.spec.Agents {
				if a.frame.Terminated[i] != b.frame.Terminated[i] {
					tb.Fatalf("limit: seed %d, step %d of %d: %s terminated is %v, with a later limit %v", seed, a.t, limit, name, a.frame.Terminated[i], b.frame.Terminated[i])
				}
				if a.t < limit && a.frame.Truncated[i] != b.frame.Truncated[i] {
					tb.Fatalf("limit: seed %d: %s is truncated at step %d, before the limit of %d", seed, name, a.t, limit)
				}
			}
		}
		if !a.frame.Ended() {
			tb.Fatalf("limit: seed %d: the game goes on after its limit of %d steps", seed, limit)
		}
	}
}

// limited is the subject with another limit of steps, nil where it has no such parameter.
func (s *subject) limited(n int) *subject {
	for _, p := range s.entry.Params {
		if p.Name == "max_cycles" && p.Min <= float64(n) && float64(n) <= p.Max {
			out := *s
			out.params = maps.Clone(s.params)
			if out.params == nil {
				out.params = map[string]any{}
			}
			out.params["max_cycles"] = n
			return &out
		}
	}
	return nil
}

// checkOwnLimit tests a limit that can't be chosen.
func checkOwnLimit(tb testing.TB, s *subject) {
	limit := s.spec.MaxCycles
	if limit > 10*horizon {
		return
	}
	for _, seed := range seeds {
		p := s.play(tb, seed)
		p.wander(max(limit, horizon))
		for i, name := range s.spec.Agents {
			if p.frame.Truncated[i] && limit == 0 {
				tb.Errorf("limit: seed %d: %s was truncated in a game without limit", seed, name)
			}
			if p.frame.Truncated[i] && p.t != limit && limit > 0 {
				tb.Errorf("limit: seed %d: %s is truncated at step %d, the limit is %d", seed, name, p.t, limit)
			}
		}
		if limit > 0 && !p.frame.Ended() {
			tb.Errorf("limit: seed %d: the game goes on after its limit of %d steps", seed, limit)
		}
	}
}
