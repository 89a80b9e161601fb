package envtest

import (
	"math"
	"testing"

	"marlpit/envs"
)

// checkAllocations tests that stepping and resetting allocate nothing, and
// neither do the abilities of the step path.
func checkAllocations(tb testing.TB, s *subject) {
	p := s.play(tb, 1)
	p.wander(horizon)
	seed := uint64(0)
	if s.spec.AllocatingReset {
		stepAllocations(tb, s)
	} else {
		if n := testing.AllocsPerRun(100, func() {
			p.step(p.random())
			if p.frame.Ended() {
				seed++
				p.reset(seed)
			}
		}); n != 0 {
			tb.Errorf("allocations: a step allocates %v times", n)
		}
		if n := testing.AllocsPerRun(50, func() {
			seed++
			p.reset(seed)
		}); n != 0 {
			tb.Errorf("allocations: a reset allocates %v times", n)
		}
	}
	if f, ok := envs.As[envs.Focuser](p.env); ok {
		room := f.AppendFocus(nil, 0)
		for i := range s.spec.Agents {
			room = append(room, f.AppendFocus(nil, i)...)
		}
		if n := testing.AllocsPerRun(50, func() {
			for i := range s.spec.Agents {
				f.AppendFocus(room[:0], i)
			}
		}); n != 0 {
			tb.Errorf("allocations: AppendFocus allocates %v times", n)
		}
	}
	if d, ok := envs.As[envs.DenseRewarder](p.env); ok {
		dst := make([]float32, len(s.spec.Agents))
		if n := testing.AllocsPerRun(50, func() { d.DenseRewards(dst) }); n != 0 {
			tb.Errorf("allocations: DenseRewards allocates %v times", n)
		}
	}
}

// replays bounds how often an episode is played again until nothing allocates:
// the runtime's own work in the background is counted too, now and then.
const replays = 5

// stepAllocations tests that the steps of episodes allocate nothing where
// resets may: each episode is played once, and measured when it is played again.
func stepAllocations(tb testing.TB, s *subject) {
	p := s.play(tb, 1)
	for seed := range uint64(10) {
		episode := func() {
			p.rng.Seed(seed)
			p.wander(horizon)
		}
		p.reset(seed)
		episode()
		least := math.Inf(1)
		for again := 0; again < replays && least > 0; again++ {
			p.reset(seed)
			runs := 0
			least = min(least, testing.AllocsPerRun(1, func() {
				if runs++; runs > 1 { // the first is not measured
					episode()
				}
			}))
		}
		if least > 0 {
			tb.Errorf("allocations: the steps of an episode allocate %v times", least)
		}
	}
}
