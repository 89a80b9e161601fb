package envs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

// Only what the mask allows is drawn, each choice about as often as the others;
// an agent with nothing legal gets 0, boxes get values within their bounds.
func TestDrawLegal(t *testing.T) {
	s := &envs.Spec{
		Agents: []string{"a_0", "a_1"},
		Action: []envs.Space{envs.NewDiscrete(3), {Kind: envs.MultiDiscrete, N: []int{2, 2}}},
	}
	mask := []uint8{1, 0, 1, 0 /* padding */, 0, 0, 0, 1}
	a, rng := envs.NewActions(s), &envs.Rand{}
	require.Len(t, a.Choice, 4)
	rng.Seed(0)
	seen := [3]int{}
	for range 1000 {
		envs.DrawLegal(s, mask, rng, a)
		seen[a.Choice[0]]++
		require.Equal(t, []int32{0, 1}, a.Choice[2:])
	}
	require.Zero(t, seen[1])
	require.InDelta(t, 500, seen[0], 80)

	box := &envs.Spec{
		Agents: []string{"a_0"},
		Action: []envs.Space{{Kind: envs.Box, Shape: []int{2}, Low: []float32{-1}, High: []float32{1, 5}}},
	}
	v := envs.NewActions(box)
	for range 1000 {
		envs.DrawLegal(box, nil, rng, v)
		require.True(t, v.Value[0] >= -1 && v.Value[0] <= 1 && v.Value[1] >= -1 && v.Value[1] <= 5)
	}
}
