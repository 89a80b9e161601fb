package envtest

import (
	"testing"

	"marlpit/envs"
)

// Bench measures the steps of an environment, resets included: `step` with
// actions drawn beforehand from all there are (those that are illegal do
// nothing), which is the time of the world alone, and `legal` with actions drawn
// from the mask, which goes deeper into the game and costs the drawing. Each
// reports steps/s beside the time and the allocations of one step. params nil:
// the defaults.
func Bench(b *testing.B, entry envs.Entry, params map[string]any) {
	b.Helper()
	s := newSubject(b, entry, nil, params)
	b.Run("step", func(b *testing.B) {
		actions := drawBefore(s.play(b, 1), 1024)
		n := 0
		bench(b, s, func(*player) envs.Actions {
			n++
			return actions[n%len(actions)]
		})
	})
	b.Run("legal", func(b *testing.B) {
		bench(b, s, func(p *player) envs.Actions { return p.random() })
	})
}

func bench(b *testing.B, s *subject, next func(*player) envs.Actions) {
	p := s.play(b, 1)
	p.wander(horizon)
	seed := uint64(1)
	p.reset(seed)
	b.ReportAllocs()
	steps := 0
	for b.Loop() {
		p.env.Step(next(p), p.frame)
		if steps++; p.frame.Ended() {
			seed++
			p.env.Reset(seed, p.frame)
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// drawBefore draws n joint actions with every choice taken for legal.
func drawBefore(p *player, n int) []envs.Actions {
	fill(p.frame.Mask, 1)
	out := make([]envs.Actions, n)
	for i := range out {
		a := p.random()
		out[i] = envs.Actions{Choice: append([]int32(nil), a.Choice...), Value: append([]float32(nil), a.Value...)}
	}
	return out
}
