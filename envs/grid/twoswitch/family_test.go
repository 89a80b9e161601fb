package twoswitch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// The families of a game played as well as possible, told forwards and backwards.
func TestFamilies(t *testing.T) {
	met := map[string]bool{}
	moments(t, func(title string, g *Game, before []byte) {
		after := g.AppendSnapshot(nil)
		back := g.Clone().(*Game)
		require.NoError(t, back.Restore(before, envs.NewFrame(g.Spec())))
		for agent := range g.agents {
			family := g.Family(before, agent)
			require.Contains(t, g.Families(), family)
			require.Equal(t, family, back.Family(after, agent), title)
			met[family] = true
			if g.now.success {
				require.Equal(t, famEnd, family)
			}
			if c := g.now.At[agent]; (c == g.switches[0] || c == g.switches[1]) && g.past.Pressed != g.now.Pressed {
				require.Equal(t, famPress, family)
			}
		}
	})
	for _, family := range []string{famEnd, famPress, famWalk, famStay} {
		require.True(t, met[family], family)
	}
	require.Panics(t, func() { build(t, nil).Family([]byte("none"), 0) })
}

func TestFamilyOfWhatOthersDo(t *testing.T) {
	g, frame := build(t, held), envs.NewFrame(build(t, held).Spec())
	g.now.At = [maxAgents]int16{g.switches[1], g.switches[0] + 1, g.switches[0] + 2}
	before := g.AppendSnapshot(nil)
	g.Step(envs.Actions{Choice: []int32{grid.Stay, grid.Left, grid.Stay}}, frame)
	require.Equal(t, famOther, g.Family(before, 2))
	require.Equal(t, famPress, g.Family(before, 1))
}

// Placing an agent moves it and nothing else.
func TestPlace(t *testing.T) {
	g, frame := build(t, nil), envs.NewFrame(build(t, nil).Spec())
	g.Reset(0, frame)
	was := g.now
	for k, tile := range g.Places(1) {
		g.Place(1, k, frame)
		now := g.now
		require.Equal(t, was.At[0], now.At[0])
		require.Equal(t, grid.Point{X: tile.X, Y: tile.Y}, g.cells.Points[now.At[1]])
		require.Equal(t, grid.Place(grid.Point{X: tile.X, Y: tile.Y}), g.PlaceBounds(1, k))
		require.True(t, g.PlaceBounds(1, k).In(g.Bounds()))
		now.At[1] = was.At[1]
		require.Equal(t, was, now)
		require.Equal(t, float32(1), frame.State[g.cells.Len()+k])
	}
}
