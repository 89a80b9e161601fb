package victimrubble

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest"
	"marlpit/envs/grid"
)

func TestCases(t *testing.T) { envtest.Cases(t, Entry, "testdata") }

// Bounds hold and are reached, but for what play from fixed places can't do.
func TestBoundsAreReached(t *testing.T) {
	envtest.Reach(t, Entry, 10_000, map[string]any{"max_cycles": 0})
	envtest.Reach(t, Entry, 10_000, map[string]any{"max_cycles": 0, "places": "random", "engineers": 2, "ending": "death"}, "trap_0_place")
	envtest.Reach(t, Entry, 40_000, map[string]any{"max_cycles": 0, "layout": "rooms", "keybearer": true, "scout": true, "view": "radius", "radius": 1, "ending": "leave"},
		"scout_0_out") // a scout stays
	envtest.Reach(t, Entry, 20_000, map[string]any{"max_cycles": 0, "layout": "sites", "engineers": 2, "medics": 2, "width": 3, "height": 3})
}

func TestBadCombinationsAreRefused(t *testing.T) {
	for want, p := range map[string]map[string]any{
		"17 agents (engineers, medics, scout and keybearer), the most are 16": {"engineers": 9, "medics": 8},
		"a keybearer needs layout rooms":                                      {"keybearer": true},
		"as many medics as engineers, got 2 and 3":                            {"layout": "sites", "engineers": 3, "medics": 2},
		"no scout": {"layout": "sites", "scout": true},
		"one heap of rubble and one victim for each of 2 pairs":                {"layout": "sites", "engineers": 2, "medics": 2, "victims": 3},
		"width 1 and height 5 of a room, want at least 2 each":                 {"width": 1},
		"11 heaps of rubble in the walls of a room of 4 × 5":                   {"rubble": 11},
		"16 victims with 1 heaps of rubble in a room of 2 × 2, the most are 3": {"rubble": 1, "victims": 16, "width": 2, "height": 2, "layout": "room"},
		"the most are 4: one in each of 2 doorways and on each of 2":           {"layout": "rooms", "keybearer": true, "rubble": 5},
		"layout is one of room, rooms, sites":                                  {"layout": "maze"},
		"no room for a trap":                                                   {"layout": "rooms", "width": 2, "height": 2, "ending": "death", "victims": 11},
	} {
		_, err := Entry.New(p)
		require.ErrorIs(t, err, envs.ErrParams, "%v", p)
		require.ErrorContains(t, err, want)
	}
}

// A zero is what suits the layout, and the spec says what it came to.
func TestZerosAreResolved(t *testing.T) {
	for _, c := range []struct {
		params map[string]any
		want   []any
	}{
		{nil, []any{4, 5, 2, 2}},
		{map[string]any{"layout": "rooms"}, []any{3, 3, 3, 2}},
		{map[string]any{"layout": "sites", "engineers": 5, "medics": 5}, []any{9, 7, 5, 5}},
		{map[string]any{"width": 6, "rubble": 3}, []any{6, 5, 3, 2}},
	} {
		got := build(t, c.params).Spec().Params
		require.Equal(t, c.want, []any{got["width"], got["height"], got["rubble"], got["victims"]})
	}
}

// random are sets of parameters whose places are drawn.
var random = []map[string]any{
	{"places": "random"},
	{"places": "random", "ending": "death"},
	{"places": "random", "rubble": 4, "victims": 7, "ending": "death"},
	{"places": "random", "width": 2, "height": 2, "rubble": 4},
	{"places": "random", "layout": "rooms", "ending": "death", "medics": 2},
	{"places": "random", "layout": "rooms", "keybearer": true, "scout": true, "ending": "leave"},
	{"places": "random", "layout": "rooms", "keybearer": true, "rubble": 6, "victims": 4, "ending": "death"},
	{"places": "random", "layout": "rooms", "width": 2, "height": 2, "rubble": 12, "victims": 10},
	{"places": "random", "layout": "sites", "engineers": 8, "medics": 8, "ending": "death"},
}

// Whatever is drawn can be solved: 18,000 seeds.
func TestEverySeedIsSolvable(t *testing.T) {
	for _, p := range random {
		g := build(t, p)
		frame := envs.NewFrame(g.Spec())
		starts := map[[maxAgents]int16]bool{}
		traps := 0
		for seed := range uint64(2000) {
			g.Reset(seed, frame)
			require.True(t, g.now.solvable(g.world), "%v, seed %d\n%s", p, seed, g.AppendText(nil))
			require.False(t, g.now.success || g.now.ended)
			for i, c := range g.now.At[:g.agents] {
				require.False(t, g.now.Shut.has(c), "%v, seed %d: %s starts in a wall", p, seed, g.names[i])
				require.NotContains(t, g.now.Trap[:g.traps], c)
			}
			starts[g.now.Victim] = true
			for _, c := range g.now.Trap[:g.traps] {
				if c >= 0 {
					traps++
				}
			}
		}
		require.Greater(t, len(starts), 10, p)
		require.GreaterOrEqual(t, traps, 1990*g.traps, p) // hardly ever left out
	}
}

// Best play succeeds with the work that was promised, from every seed.
func TestBestPlaySolvesEverySeed(t *testing.T) {
	sets := append([]map[string]any{
		nil, {"engineers": 3, "medics": 3}, {"rubble": 5, "victims": 5}, {"layout": "rooms"}, rooms, sites,
		{"layout": "rooms", "keybearer": true, "engineers": 2, "medics": 2, "victims": 4, "ending": "death"},
	}, random...)
	for _, p := range sets {
		g := build(t, with(p, "max_cycles", 0))
		if err := g.Prepare(); err != nil {
			require.ErrorIs(t, err, envs.ErrTooLarge)
			t.Logf("%v: %v", p, err)
			continue
		}
		frame := envs.NewFrame(g.Spec())
		seeds := uint64(100)
		if !g.random {
			seeds = 1
		}
		for seed := range seeds {
			g.Reset(seed, frame)
			work, time := g.Remaining()
			spent, steps := 0.0, 0.0
			for ; !frame.Ended(); steps++ {
				require.Less(t, steps, 200.0)
				for _, c := range g.AppendBest(nil) {
					if c != grid.Stay {
						spent++
					}
				}
				g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
			}
			require.True(t, g.now.success, "%v, seed %d", p, seed)
			require.Equal(t, work, spent, "%v, seed %d", p, seed)
			require.LessOrEqual(t, time, steps, "%v, seed %d", p, seed)
		}
	}
}

func with(params map[string]any, name string, value any) map[string]any {
	out := map[string]any{}
	for k, v := range params {
		out[k] = v
	}
	out[name] = value
	return out
}

// The team is paid 1 − 0.5·t/max_cycles, once; the limit truncates and pays nothing.
func TestRewardAndLimit(t *testing.T) {
	g := build(t, nil)
	frame := envs.NewFrame(g.Spec())
	for g.Reset(0, frame); !frame.Ended(); {
		require.Zero(t, frame.Rewards[0])
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
	}
	paid := 1 - 0.5*float32(g.now.T)/100
	require.Equal(t, []float32{paid, paid}, frame.Team)
	require.Equal(t, []bool{true, true}, frame.Terminated)
	require.Equal(t, []bool{false, false}, frame.Truncated)
	require.Equal(t, []float32{1, 2, 2, 1, 2, 2}, frame.Info)

	g.Reset(0, frame)
	for range 100 {
		require.False(t, frame.Ended())
		g.Step(envs.Actions{Choice: []int32{0, 0}}, frame)
	}
	require.Equal(t, []bool{true, true}, frame.Truncated)
	require.Equal(t, []bool{false, false}, frame.Terminated)
	require.Zero(t, frame.Team[0])
}

// By hand: from the middle of the default room three steps to either heap and
// one to clear, six steps between them and one to clear; the medic takes five
// steps to a victim and one to heal, ten between the two and one to heal.
func TestDefaultWork(t *testing.T) {
	g := build(t, nil)
	g.Reset(0, envs.NewFrame(g.Spec()))
	work, time := g.Remaining()
	require.Equal(t, 3.0+1+6+1+5+1+10+1, work)
	require.Equal(t, 7.0, time)
}

// Random play almost never succeeds in the default, so the team's reward alone teaches nothing.
func TestRandomPlayAlmostNeverSucceeds(t *testing.T) {
	g := build(t, nil)
	frame, actions := envs.NewFrame(g.Spec()), envs.NewActions(g.Spec())
	var r envs.Rand
	r.Seed(1)
	won := 0
	const episodes = 20_000
	for e := range uint64(episodes) {
		for g.Reset(e, frame); !frame.Ended(); {
			for i := range actions.Choice {
				actions.Choice[i] = int32(r.Intn(6))
			}
			g.Step(actions, frame)
		}
		if g.now.success {
			won++
		}
	}
	t.Logf("%d of %d", won, episodes)
	require.Less(t, float64(won)/episodes, 0.005)
}

func BenchmarkLayouts(b *testing.B) {
	for _, p := range []map[string]any{rooms, {"layout": "sites", "engineers": 8, "medics": 8}, {"places": "random"}} {
		b.Run(fmt.Sprint(p["layout"], p["places"]), func(b *testing.B) { envtest.Bench(b, Entry, p) })
	}
}

// BenchmarkRemaining is the exact least work, step by step.
func BenchmarkRemaining(b *testing.B) {
	for _, p := range []map[string]any{nil, rooms, {"layout": "rooms", "keybearer": true, "places": "random"}, {"engineers": 3, "medics": 3}, {"layout": "sites", "engineers": 8, "medics": 8}} {
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			g := build(b, p)
			require.NoError(b, g.Prepare())
			b.ReportAllocs()
			for b.Loop() {
				g.Remaining()
			}
		})
	}
}

// Snapshots in which things lie where they are never drawn are refused: the
// planner has no room for them.
func TestStrangePlacesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		params map[string]any
		change func(g *Game)
	}{
		"the first heaps lie in doorways": {map[string]any{"layout": "rooms"}, func(g *Game) { g.now.Rubble[0] = g.floor[3][0] }},
		"the later ones on victims":       {map[string]any{"layout": "rooms", "rubble": 4}, func(g *Game) { g.now.Rubble[3] = g.floor[0][1] }},
		"victims behind their heaps": {map[string]any{"layout": "sites", "engineers": 2, "medics": 2}, func(g *Game) {
			g.now.Victim[0], g.now.Victim[1] = g.now.Victim[1], g.now.Victim[0]
		}},
	} {
		c.params["places"] = "random"
		g := build(t, c.params)
		frame := envs.NewFrame(g.Spec())
		g.Reset(1, frame)
		require.NoError(t, build(t, c.params).Restore(g.AppendSnapshot(nil), frame), name)
		c.change(g)
		require.ErrorIs(t, build(t, c.params).Restore(g.AppendSnapshot(nil), frame), envs.ErrSnapshot, name)
	}
}
