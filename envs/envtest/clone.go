package envtest

import (
	"testing"

	"marlpit/envs"
)

// checkClone tests that a copy plays on identically and that neither of the two
// feels what the other does.
func checkClone(tb testing.TB, s *subject) {
	if _, ok := envs.As[envs.Cloner](s.build(tb)); !ok {
		tb.Skip("no Cloner")
	}
	for _, seed := range seeds {
		for _, at := range []int{0, 4, 21} {
			p, twin := s.play(tb, seed), s.play(tb, seed)
			p.wander(at)
			twin.wander(at)
			fresh, used := s.build(tb), s.play(tb, seed+2)
			used.wander(6)
			s.cloneInto(p.env, fresh)
			s.cloneInto(p.env, used.env)
			for _, e := range []envs.Env{s.clone(p.env), fresh, used.env} {
				copied := newPlayer(e, seed)
				reference := s.play(tb, seed)
				reference.wander(at)
				if d := lockstep(copied, reference, 15); d != "" {
					tb.Fatalf("clone: seed %d, copied at step %d: a copy plays on otherwise: %s", seed, p.t, d)
				}
				if d := same(p, twin); d != "" {
					tb.Fatalf("clone: seed %d, step %d: stepping a copy changed the original: %s", seed, p.t, d)
				}
			}
			if d := lockstep(p, twin, 20); d != "" {
				tb.Fatalf("clone: seed %d: the original plays on otherwise after it was copied: %s", seed, d)
			}
		}
	}
	p, dst := s.play(tb, 1), s.build(tb)
	s.cloneInto(p.env, dst)
	if n := testing.AllocsPerRun(20, func() { s.cloneInto(p.env, dst) }); n != 0 {
		tb.Errorf("clone: CloneInto allocates %v times", n)
	}
}

// clone copies an environment. A wrapper without state need not be a Cloner:
// then the game inside is copied and wrapped anew.
func (s *subject) clone(e envs.Env) envs.Env {
	if c, ok := e.(envs.Cloner); ok {
		return c.Clone()
	}
	c, _ := envs.As[envs.Cloner](e)
	return s.wrap(c.Clone())
}

// cloneInto copies src over dst, the game inside where the wrapper has no state.
func (s *subject) cloneInto(src, dst envs.Env) {
	c, ok := src.(envs.Cloner)
	if !ok {
		c, _ = envs.As[envs.Cloner](src)
		d, _ := envs.As[envs.Cloner](dst)
		dst = d.(envs.Env)
	}
	c.CloneInto(dst)
}
