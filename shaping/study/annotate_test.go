package study_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// Where the solver gives up, credit is by the world's bound, and says so.
func TestCreditByTheBound(t *testing.T) {
	opt := study.CollectOptions{Transitions: 80, Steps: 300, Copies: 8}
	for _, c := range []struct {
		length int
		solver string
		worth  float64 // of a step towards the end
	}{{15, "exact", 1}, {16, "bound: half of the way", 0.5}} {
		got, err := study.Collect(ctx, lineEntry, map[string]any{"length": c.length}, opt)
		require.NoError(t, err)
		assert.Equal(t, c.solver, got.Collection.Solver)
		families := map[string]int{}
		for _, tr := range got.Transitions {
			sum := 0.0
			for i, a := range tr.Agents[:2] {
				steps := float64(tr.StateB[i]-tr.StateA[i]) * float64(c.length)
				require.InDelta(t, steps*c.worth, a.Truth, 1e-4)
				require.Equal(t, steps == 0, a.Family == "rest")
				families[a.Family]++
				sum += a.Truth
			}
			require.Equal(t, votes.Team, tr.Agents[2].Index)
			require.InDelta(t, sum, tr.Agents[2].Truth, 1e-9)
			require.Empty(t, tr.Agents[2].Family)
		}
		assert.Positive(t, families["walk"])
		assert.Equal(t, 160, families["walk"]+families["rest"]+families["arrive"])
	}
}
