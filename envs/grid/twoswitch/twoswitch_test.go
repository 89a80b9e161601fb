package twoswitch

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marlpit/envs"
	"marlpit/envs/envtest"
	"marlpit/envs/grid"
)

// held is the smallest world of held switches.
var held = map[string]any{"mode": "held", "agents": 3, "width_left": 3, "width_right": 2, "height": 3}

func TestContract(t *testing.T) {
	envtest.Run(t, Entry, nil, held,
		map[string]any{"agents": 3, "start": "random", "view": "radius", "radius": 1},
		map[string]any{"obs": "grid", "max_cycles": 0},
		map[string]any{"obs": "grid", "view": "radius", "agents": 3, "width_left": 2, "width_right": 2, "height": 3},
		map[string]any{"mode": "held", "agents": 4, "view": "radius", "width_left": 2, "width_right": 2, "height": 3})
}

func TestBoundsAreReached(t *testing.T) {
	envtest.Reach(t, Entry, 10_000, map[string]any{"max_cycles": 0})
	envtest.Reach(t, Entry, 10_000, map[string]any{"max_cycles": 0, "view": "radius", "agents": 3})
	envtest.Reach(t, Entry, 20_000, held)
}

func TestCases(t *testing.T)      { envtest.Cases(t, Entry, "testdata") }
func TestGolden(t *testing.T)     { envtest.Golden(t, Entry, "testdata/golden.txt") }
func TestGoldenHeld(t *testing.T) { envtest.Golden(t, Entry, "testdata/golden-held.txt", held) }
func FuzzRestore(f *testing.F)    { envtest.Fuzz(f, Entry) }
func BenchmarkStep(b *testing.B)  { envtest.Bench(b, Entry, nil) }

func build(t require.TestingT, params map[string]any) *Game {
	e, err := Entry.New(params)
	require.NoError(t, err)
	g := e.(*Game)
	require.NoError(t, g.Prepare())
	return g
}

func TestHeldSwitchesNeedThreeAgents(t *testing.T) {
	_, err := Entry.New(map[string]any{"mode": "held"})
	require.ErrorIs(t, err, envs.ErrParams)
	require.ErrorContains(t, err, "needs 3 or 4 agents, got 2")
}

// Every combination of agents and mode can be solved from every start that
// the tables cover, and best play takes exactly the work that was said.
func TestEveryWorldIsSolvable(t *testing.T) {
	for _, p := range []map[string]any{
		nil, held,
		{"agents": 3}, {"start": "random"}, {"agents": 3, "mode": "held"},
		{"agents": 4, "width_left": 2, "width_right": 2, "height": 3},
		{"agents": 4, "mode": "held", "width_left": 2, "width_right": 2, "height": 3},
	} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			g := build(t, p)
			frame := envs.NewFrame(g.Spec())
			for seed := range uint64(5) {
				g.Reset(seed, frame)
				work, time := g.Remaining()
				require.Less(t, work, envs.SolverCap)
				require.LessOrEqual(t, time, work)
				spent := 0.0
				for steps := 0; !frame.Ended(); steps++ {
					require.Less(t, steps, 99)
					best := g.AppendBest(nil)
					for _, c := range best {
						if c != grid.Stay {
							spent++
						}
					}
					g.Step(envs.Actions{Choice: best}, frame)
				}
				require.True(t, frame.Terminated[0])
				require.Equal(t, work, spent)
			}
		})
	}
}

// The least time of the default start, by hand: agent_0 to switch A, three
// steps; agent_1 to switch B, three; from A to the exit eleven, from B seven.
func TestDefaultWorkAndTime(t *testing.T) {
	g := build(t, nil)
	g.Reset(0, envs.NewFrame(g.Spec()))
	work, time := g.Remaining()
	require.Equal(t, 3.0+3+11+8, work)
	require.Equal(t, 3.0+11, time)
}

// Least work is a fixed point: no move is worth more than it costs, and one is
// worth all of it, from any state random play reaches.
func TestLeastWorkIsAFixedPoint(t *testing.T) {
	games := []*Game{build(t, map[string]any{"max_cycles": 0}), build(t, with(held, "max_cycles", 0))}
	rapid.Check(t, func(rt *rapid.T) {
		g := games[rapid.IntRange(0, 1).Draw(rt, "game")]
		frame := envs.NewFrame(g.Spec())
		g.Reset(rapid.Uint64().Draw(rt, "seed"), frame)
		choice := make([]int32, g.agents)
		for range rapid.IntRange(0, 60).Draw(rt, "steps") {
			for i := range choice {
				choice[i] = rapid.Int32Range(0, 4).Draw(rt, "choice")
			}
			g.Step(envs.Actions{Choice: choice}, frame)
		}
		if frame.Ended() {
			return
		}
		work, time := g.Remaining()
		least, soonest := envs.SolverCap, envs.SolverCap
		for code := range pow(grid.Moves, g.agents) {
			moves := 0.0
			for i := range choice {
				choice[i] = int32(code % grid.Moves)
				code /= grid.Moves
				if choice[i] != grid.Stay {
					moves++
				}
			}
			after := g.Clone().(*Game)
			after.Step(envs.Actions{Choice: choice}, frame)
			w, t := after.Remaining()
			if moves > 0 {
				least = min(least, moves+w)
			}
			soonest = min(soonest, 1+t)
		}
		require.Equal(rt, work, least)
		require.Equal(rt, time, soonest)
	})
}

func with(params map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for k, v := range params {
		if k != name {
			out[k] = v
		}
	}
	return out
}

func TestTooLargeIsRefusedByName(t *testing.T) {
	e, err := Entry.New(map[string]any{"agents": 4})
	require.NoError(t, err)
	err = e.(*Game).Prepare()
	require.ErrorIs(t, err, envs.ErrTooLarge)
	require.ErrorContains(t, err, "6718464 joint states, the limit is 2000000")
}

// The team is paid 1 − 0.5·t/max_cycles, once; the limit truncates and pays nothing.
func TestRewardAndLimit(t *testing.T) {
	g := build(t, nil)
	frame := envs.NewFrame(g.Spec())
	g.Reset(0, frame)
	_, least := g.Remaining()
	for !frame.Ended() {
		require.Zero(t, frame.Rewards[0])
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
	}
	took := float32(g.now.T)
	require.GreaterOrEqual(t, float64(took), least)
	require.Equal(t, []float32{1 - 0.5*took/100, 1 - 0.5*took/100}, frame.Team)
	require.Equal(t, []bool{true, true}, frame.Terminated)
	require.Equal(t, []bool{false, false}, frame.Truncated)

	g.Reset(0, frame)
	for i := range 100 {
		require.False(t, frame.Ended(), i)
		g.Step(envs.Actions{Choice: []int32{0, 0}}, frame)
	}
	require.Equal(t, []bool{true, true}, frame.Truncated)
	require.Equal(t, []bool{false, false}, frame.Terminated)
	require.Zero(t, frame.Team[0])
}

// Random play almost never succeeds: that is what makes the world hard for a
// learner on the team's reward.
func TestRandomPlayAlmostNeverSucceeds(t *testing.T) {
	g := build(t, nil)
	frame := envs.NewFrame(g.Spec())
	var r envs.Rand
	r.Seed(1)
	won := 0
	const episodes = 20_000
	for e := range uint64(episodes) {
		for g.Reset(e, frame); !frame.Ended(); {
			g.Step(envs.Actions{Choice: []int32{int32(r.Intn(5)), int32(r.Intn(5))}}, frame)
		}
		if frame.Terminated[0] {
			won++
		}
	}
	t.Logf("%d of %d", won, episodes)
	require.Less(t, float64(won)/episodes, 0.005)
}

// A step nearer to the sub-goal is a step of less remaining work: nearly always
// where switches latch, mostly where they are held.
func TestSubGoalsAgreeWithExactCredit(t *testing.T) {
	for least, params := range map[float64]map[string]any{
		0.99: {"max_cycles": 0, "start": "random"},
		0.88: {"max_cycles": 0, "start": "random", "agents": 3, "mode": "held"},
	} {
		g, frame := build(t, params), envs.NewFrame(build(t, params).Spec())
		alone := g.Clone().(*Game)
		var r envs.Rand
		r.Seed(3)
		agree, asked := 0, 0
		for episode := range uint64(20) {
			for g.Reset(episode, frame); g.now.T < 500 && !frame.Ended(); {
				choice := make([]int32, g.agents)
				for i := range choice {
					choice[i] = int32(r.Intn(5))
				}
				goals := g.goals(&g.now)
				was, _ := g.Remaining()
				for i := range choice {
					solo := make([]int32, g.agents)
					solo[i] = choice[i]
					g.CloneInto(alone)
					alone.Step(envs.Actions{Choice: solo}, frame)
					is, _ := alone.Remaining()
					if alone.now.At != g.now.At && was != is {
						asked++
						nearer := g.dist[goals[i]][alone.now.At[i]] < g.dist[goals[i]][g.now.At[i]]
						if nearer == (is < was) {
							agree++
						}
					}
				}
				g.Step(envs.Actions{Choice: choice}, frame)
			}
		}
		t.Logf("%v: %d of %d", params, agree, asked)
		require.Greater(t, asked, 5000)
		require.Greater(t, float64(agree)/float64(asked), least)
	}
}

// The expert pays for steps towards the sub-goal and takes for steps away.
func TestExpertReward(t *testing.T) {
	g := build(t, nil)
	frame, dense := envs.NewFrame(g.Spec()), make([]float32, 2)
	g.Reset(0, frame)
	g.Step(envs.Actions{Choice: []int32{grid.Up, grid.Left}}, frame)
	g.DenseRewards(dense)
	require.InDeltaSlice(t, []float32{0.1, -0.1}, dense, 1e-6)
}
