package envtest

import (
	"bytes"
	"testing"

	"marlpit/envs"
)

// checkSnapshot tests that a game restored in the middle plays on identically,
// in an instance that has never been reset and in one that was elsewhere.
func checkSnapshot(tb testing.TB, s *subject) {
	if _, ok := envs.As[envs.Snapshotter](s.build(tb)); !ok {
		tb.Skip("no Snapshotter")
	}
	for _, seed := range seeds {
		for _, at := range []int{0, 1, 5, 17, horizon} {
			p := s.play(tb, seed)
			p.wander(at)
			saved := snapshot(tb, p)
			elsewhere := s.play(tb, seed+1)
			elsewhere.wander(3)
			for _, q := range []*player{newPlayer(s.build(tb), 9), elsewhere} {
				if err := q.restore(saved); err != nil {
					tb.Fatalf("snapshot: seed %d, step %d: Restore refuses its own snapshot: %v", seed, p.t, err)
				}
				want := *p.frame
				want.Rewards, want.Team = make([]float32, len(s.spec.Agents)), make([]float32, len(s.spec.Agents))
				if d := diff(q.frame, &want); d != "" {
					tb.Fatalf("snapshot: seed %d, step %d: the restored frame differs: %s", seed, p.t, d)
				}
				twin := s.play(tb, seed)
				twin.wander(at)
				if d := lockstep(q, twin, 25); d != "" {
					tb.Fatalf("snapshot: seed %d, taken at step %d: the restored game plays on otherwise: %s", seed, p.t, d)
				}
			}
		}
	}
}

// snapshot takes one, and tests that taking it appends and changes nothing.
func snapshot(tb testing.TB, p *player) []byte {
	tb.Helper()
	e, _ := envs.As[envs.Snapshotter](p.env)
	first := e.AppendSnapshot(nil)
	second := e.AppendSnapshot([]byte("abc"))
	if !bytes.HasPrefix(second, []byte("abc")) || !bytes.Equal(second[3:], first) {
		tb.Fatalf("snapshot: step %d: AppendSnapshot doesn't append the same bytes twice", p.t)
	}
	return first
}

// restore restores a snapshot into the player's environment.
func (p *player) restore(saved []byte) error {
	e, _ := envs.As[envs.Snapshotter](p.env)
	p.soil()
	p.t, p.restored = 0, true
	err := e.Restore(saved, p.frame)
	for i := range p.dead {
		p.dead[i] = err == nil && (p.frame.Terminated[i] || p.frame.Truncated[i])
	}
	return err
}
