package wrappers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/grid/twoswitch"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// A model fitted to votes on the team gives each agent the difference of its
// own view's σ.
func TestSharedLabelsGiveEachAgentItsOwn(t *testing.T) {
	e, err := twoswitch.Entry.New(nil)
	require.NoError(t, err)
	focuser, ok := envs.As[envs.Focuser](e)
	require.True(t, ok)
	out := envs.NewFrame(e.Spec())
	views := func() (all [][]float32) {
		for i := range e.Spec().Agents {
			all = append(all, focuser.AppendFocus(nil, i))
		}
		return all
	}
	var rng envs.Rand
	rng.Seed(3)
	a := envs.NewActions(e.Spec())
	var pairs []prefer.Pair
	e.Reset(1, out)
	for range 200 {
		p := prefer.Pair{StateA: append([]float32(nil), out.State...), ViewsA: views()}
		envs.DrawLegal(e.Spec(), out.Mask, &rng, a)
		e.Step(a, out)
		p.StateB, p.ViewsB, p.C = append([]float32(nil), out.State...), views(), float64(rng.Intn(2))
		pairs = append(pairs, p)
		if out.Ended() {
			e.Reset(1, out)
		}
	}
	m, _, err := prefer.Fit(context.Background(), wrappers.World(e), pairs, prefer.Options{Kind: prefer.SharedLabels, Epochs: 5})
	require.NoError(t, err)
	library := &wrappers.Library{}
	library.Add("team", m)
	for _, scheme := range []string{"credit", "shared"} {
		r, err := wrappers.ParseReward(scheme)
		require.NoError(t, err)
		_, _, err = wrappers.Build(e, r, library)
		require.ErrorIs(t, err, wrappers.ErrModel, "a model of another kind")
	}
	r, err := wrappers.ParseReward(map[string]any{"scheme": "shared-labels", "scale": 0.5})
	require.NoError(t, err)
	wrap, resolved, err := wrappers.Build(e, r, library)
	require.NoError(t, err)
	assert.Equal(t, "team", resolved["model"])

	game := wrap(e)
	f := envs.NewFrame(game.Spec())
	game.Reset(7, f)
	for range 50 {
		before := views()
		envs.DrawLegal(game.Spec(), f.Mask, &rng, a)
		game.Step(a, f)
		if f.Ended() {
			break
		}
		for i, now := range views() {
			require.Equal(t, shaping.Focus, m.Input(i))
			delta := (m.Value(i, now) - m.Value(i, before[i])) * float32(0.5/m.SD(i))
			require.InDelta(t, delta-0.01, f.Rewards[i], 1e-6)
		}
	}
}
