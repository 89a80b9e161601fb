package twoswitch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

// Where switches latch the bound is the least work; where they are held it is
// near it, and never below the truth by a plan that can't be played.
func TestBound(t *testing.T) {
	for _, p := range []map[string]any{
		{"max_cycles": 0, "start": "random"},
		{"max_cycles": 0, "start": "random", "agents": 3},
		{"max_cycles": 0, "start": "random", "mode": "held", "agents": 3, "width_left": 3, "width_right": 2, "height": 3},
	} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			g := build(t, p)
			frame, actions := envs.NewFrame(g.Spec()), envs.NewActions(g.Spec())
			var r envs.Rand
			r.Seed(5)
			bounds, works := 0.0, 0.0
			for seed := range uint64(20) {
				for g.Reset(seed, frame); g.now.T < 100 && !frame.Ended(); {
					work, _ := g.Remaining()
					if !g.held {
						require.Equal(t, work, g.Bound())
					}
					bounds, works = bounds+g.Bound(), works+work
					envs.DrawLegal(g.Spec(), frame.Mask, &r, actions)
					g.Step(actions, frame)
				}
			}
			require.InDelta(t, 1, bounds/works, 0.1)
		})
	}
	large, err := Entry.New(map[string]any{"agents": 4})
	require.NoError(t, err)
	g := large.(*Game)
	require.Equal(t, 3.0+3+11+8+8+7, g.Bound()) // the default's, and two more who walk straight to the exit
}
