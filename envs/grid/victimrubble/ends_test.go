package victimrubble

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// Agents leave one after the other, each in the step of its last deed, and play
// no part from then on; only who is there is paid, and success is everybody's.
func TestAgentsLeaveWhenTheirJobIsDone(t *testing.T) {
	for _, p := range []map[string]any{
		{"layout": "sites", "engineers": 5, "medics": 5, "ending": "leave"},
		{"layout": "rooms", "keybearer": true, "scout": true, "ending": "leave", "engineers": 2},
	} {
		g := build(t, p)
		frame := envs.NewFrame(g.Spec())
		g.Reset(0, frame)
		left := map[int]int32{}
		for !frame.Ended() {
			was := g.now
			g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
			for i := range g.agents {
				gone := was.out(i)
				if gone {
					require.Equal(t, was.At[i], g.now.At[i])
					require.Zero(t, frame.Rewards[i])
				}
				if frame.Terminated[i] && !gone && !g.now.success {
					left[i] = g.now.T
					require.Zero(t, frame.Rewards[i])
				}
				if g.now.success {
					require.Equal(t, !gone, frame.Team[i] > 0, "%s", g.names[i])
					require.Equal(t, float32(1), frame.Info[3*i])
				}
				require.False(t, frame.Truncated[i])
				mask := frame.Mask[i*g.choices : (i+1)*g.choices]
				require.Equal(t, uint8(1), mask[grid.Stay])
				if g.now.out(i) {
					require.Equal(t, []uint8{1, 0, 0, 0, 0, 0}, mask)
				}
			}
		}
		require.True(t, g.now.success)
		for i, r := range g.roles {
			_, early := left[i]
			if r != medic {
				require.Equal(t, r != scout, early, "%s", g.names[i])
			}
		}
		if g.sites {
			require.Greater(t, len(left), 5, "medics leave before the end, too")
		}
	}
}

// Death of one of two engineers leaves a game that can be won, with as much
// work as the solver says; death of the last, or of the only medic, ends it.
func TestDeath(t *testing.T) {
	g := build(t, map[string]any{"ending": "death", "engineers": 2, "max_cycles": 0})
	frame := envs.NewFrame(g.Spec())
	walk := func(agent int) {
		for range 2 { // the trap is two steps up from the middle
			choice := make([]int32, g.agents)
			choice[agent] = grid.Up
			g.Step(envs.Actions{Choice: choice}, frame)
		}
	}
	g.Reset(0, frame)
	whole, _ := g.Remaining()
	walk(0)
	require.Equal(t, []bool{true, false, false}, frame.Terminated)
	require.False(t, g.now.failed)
	work, _ := g.Remaining()
	require.GreaterOrEqual(t, work, whole)
	spent := 0.0
	for !frame.Ended() {
		best := g.AppendBest(nil)
		require.Zero(t, best[0], "the dead do nothing")
		for _, c := range best {
			if c != grid.Stay {
				spent++
			}
		}
		g.Step(envs.Actions{Choice: best}, frame)
		require.Zero(t, frame.Team[0])
	}
	require.True(t, g.now.success)
	require.Equal(t, work, spent)
	require.Equal(t, []float32{0, 1, 1}, frame.Team)

	g.Reset(0, frame)
	walk(0)
	walk(1)
	require.Equal(t, []bool{true, true, true}, frame.Terminated)
	require.Equal(t, []bool{false, false, false}, frame.Truncated)
	require.Zero(t, frame.Info[0])
	require.Equal(t, []float32{0, 0, 0}, frame.Team)
	work, time := g.Remaining()
	require.Equal(t, envs.SolverCap, work)
	require.Equal(t, envs.SolverCap, time)
	require.Equal(t, envs.SolverCap, g.Bound())
	require.Equal(t, []int32{0, 0, 0}, g.AppendBest(nil))

	g.Reset(0, frame)
	walk(2)
	require.True(t, g.now.failed && frame.Ended())
}

// Once an engineer has cleared all there is, its death harms nobody.
func TestDeathOfWhoIsNotNeeded(t *testing.T) {
	g := build(t, map[string]any{"ending": "death"})
	frame := envs.NewFrame(g.Spec())
	g.Reset(0, frame)
	for g.now.Cleared != 3 {
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
	}
	g.now.At[0] = g.now.Trap[0] + 1
	g.Step(envs.Actions{Choice: []int32{grid.Left, grid.Stay}}, frame)
	require.Equal(t, []bool{true, false}, frame.Terminated)
	for !frame.Ended() {
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
	}
	require.Zero(t, frame.Team[0])
	require.Greater(t, frame.Team[1], float32(0.5))
}

// What is too large for tables is refused by its numbers, and estimated.
func TestTooLargeIsRefusedByName(t *testing.T) {
	for _, p := range []map[string]any{
		{"engineers": 8, "medics": 8, "rubble": 10, "victims": 10},
		{"layout": "rooms", "width": 12, "height": 12, "rubble": 6, "victims": 6},
		{"layout": "rooms", "engineers": 6, "places": "random"},
	} {
		g := build(t, p)
		err := g.Prepare()
		require.ErrorIs(t, err, envs.ErrTooLarge)
		require.ErrorContains(t, err, "the limits are")
		g.Reset(3, envs.NewFrame(g.Spec()))
		work := g.Bound()
		require.Greater(t, work, float64(g.rubble+g.victims))
		require.Less(t, work, 500.0)
		before := g.AppendSnapshot(nil)
		require.Contains(t, string(g.AppendWords(nil, before, 0, envs.Guided)), "steps away from having cleared rubble")
	}
}

// The bound follows the exact work where both are known, and is 0 at success only.
func TestBoundIsNearTheExactWork(t *testing.T) {
	g := build(t, map[string]any{"layout": "rooms", "keybearer": true, "places": "random"})
	frame := envs.NewFrame(g.Spec())
	require.Contains(t, g.BoundName(), "each agent's way to its own next goal")
	bounds, works := 0.0, 0.0
	for seed := range uint64(20) {
		for g.Reset(seed, frame); !frame.Ended(); {
			g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
			work, _ := g.Remaining()
			bound := g.Bound()
			require.LessOrEqual(t, bound, work+3) // rubble that need not be cleared counts
			require.Equal(t, work == 0, bound == 0)
			bounds, works = bounds+bound, works+work
		}
	}
	t.Logf("%.2f of the work", bounds/works)
	require.Greater(t, bounds/works, 0.5)
}
