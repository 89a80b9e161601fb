package study_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs/catalog"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/study"
)

// Drawn by rarity, the same play shows far more different changes of each agent.
func TestRarityShowsWhatIsRare(t *testing.T) {
	entry, err := catalog.All().Find("two-switch-v1")
	require.NoError(t, err)
	changes := map[study.Draw]int{}
	frames := map[study.Draw]int64{}
	for _, draw := range []study.Draw{study.DrawUniform, study.DrawRarity} {
		opt := study.CollectOptions{Transitions: 80, Copies: 16, Steps: 400, Draw: draw}
		got, err := study.Collect(ctx, entry, nil, opt)
		require.NoError(t, err)
		again, err := study.Collect(ctx, entry, nil, opt)
		require.NoError(t, err)
		require.Equal(t, got.Transitions, again.Transitions, "equal seeds, equal pairs")
		assert.Len(t, got.Transitions, 80)
		frames[draw] = got.Collection.Frames
		seen := map[string]bool{}
		for _, tr := range got.Transitions {
			changed := false
			for i, a := range tr.Agents[:2] {
				change := fmt.Sprint(i, a.FocusA, a.FocusB)
				if fmt.Sprint(a.FocusA) != fmt.Sprint(a.FocusB) {
					seen[change], changed = true, true
				}
			}
			require.True(t, changed || draw == study.DrawUniform || tr.Terminal)
		}
		changes[draw] = len(seen)
	}
	assert.Equal(t, frames[study.DrawUniform], frames[study.DrawRarity], "counting costs no frames")
	t.Log(changes)
	assert.Greater(t, changes[study.DrawRarity], changes[study.DrawUniform]*6/5)
}

func TestRarityNeedsViews(t *testing.T) {
	for _, entry := range worlds.Entries() {
		if entry.ID == "test-stages-v0" {
			_, err := study.Collect(ctx, entry, nil, study.CollectOptions{Draw: study.DrawRarity, Copies: 1, Steps: 5})
			require.ErrorIs(t, err, study.ErrCollect)
			assert.ErrorContains(t, err, "own view")
		}
	}
	_, err := study.Collect(ctx, lineEntry, nil, study.CollectOptions{Draw: "odd"})
	require.ErrorIs(t, err, study.ErrCollect)
	assert.ErrorContains(t, err, `draw is uniform or rarity, got "odd"`)
}

func TestLargeTeamsAreDrawnByRarity(t *testing.T) {
	entry, err := catalog.All().Find("victim-rubble-v1")
	require.NoError(t, err)
	for pairs, want := range map[int]string{2: "random play", 3: "random play, drawn by rarity"} {
		got, err := study.Collect(t.Context(), entry, map[string]any{"layout": "sites", "engineers": pairs, "medics": pairs},
			study.CollectOptions{Transitions: 20, Copies: 2, Steps: 50})
		require.NoError(t, err)
		assert.Equal(t, want, got.Collection.Play())
	}
}
