package envtest

import (
	"testing"

	"marlpit/envs"
)

// checkFocus tests the size and the bounds of focus features through a game.
func checkFocus(tb testing.TB, s *subject) {
	p := s.play(tb, 4)
	f, ok := envs.As[envs.Focuser](p.env)
	if !ok {
		tb.Skip("no Focuser")
	}
	for range horizon {
		for i, name := range s.spec.Agents {
			fields := f.FocusFields(i)
			space := envs.NewBox(fields)
			if p.t == 0 {
				checkBox(tb, "focus of "+name, space)
				checkLayout(tb, "focus of "+name, space, fields)
			}
			got := f.AppendFocus([]float32{-7}, i)
			if len(got) != 1+space.Size() || got[0] != -7 {
				tb.Fatalf("focus: AppendFocus appended %d elements for %s, the fields have %d", len(got)-1, name, space.Size())
			}
			for k, v := range got[1:] {
				if !within(v, space, k) {
					tb.Fatalf("focus: step %d: element %d of %s is %v, want %v to %v", p.t, k, name, v, space.Low[k], space.High[k])
				}
			}
		}
		p.step(p.random())
	}
}

// checkDense tests that hand-written rewards are finite, and 0 after a reset
// and for those who had ended.
func checkDense(tb testing.TB, s *subject) {
	p := s.play(tb, 4)
	d, ok := envs.As[envs.DenseRewarder](p.env)
	if !ok {
		tb.Skip("no DenseRewarder")
	}
	dst := make([]float32, len(s.spec.Agents)+1)
	for n := range 2 * horizon {
		if n%horizon == 0 {
			p.reset(uint64(n))
		} else {
			p.step(p.random())
		}
		fill(dst, float32(-7e7))
		d.DenseRewards(dst[:len(s.spec.Agents)])
		for i, name := range s.spec.Agents {
			if v := dst[i]; !finite(v) || v == -7e7 || v != 0 && (p.t == 0 || p.dead[i]) {
				tb.Fatalf("dense: step %d: the reward of %s is %v", p.t, name, v)
			}
		}
		if dst[len(dst)-1] != -7e7 {
			tb.Fatal("dense: DenseRewards wrote past the agents")
		}
	}
}
