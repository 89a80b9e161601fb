package wrappers_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/wrappers"
)

const stay, up, down, left, right = 0, 1, 2, 3, 4

// switches is two-switch-v1 with its defaults:
//
//	##########
//	#a...#...#
//	#....#...#
//	#.01.D...#
//	#....#...#
//	#...b#..X#
//	##########
//
// From the start agent_0 needs 3 moves to a, 6 on to the door and 5 to the exit,
// agent_1 3 to b, 3 and 5: the least work is 25.
func switches(t testing.TB, params map[string]any) envs.Env {
	t.Helper()
	en, err := catalog.All().Find("two-switch-v1")
	require.NoError(t, err)
	e, err := en.New(params)
	require.NoError(t, err)
	return e
}

// TestTwoSwitchByHand: credit by least work, which is the default.
func TestTwoSwitchByHand(t *testing.T) {
	for name, c := range map[string]struct {
		before              [][]int32 // joint moves before the one that is looked at
		choice              []int32
		difference, shapley []float32
	}{
		"both come nearer":              {nil, []int32{up, right}, []float32{1, 1}, []float32{1, 1}},
		"one comes nearer, one goes":    {nil, []int32{left, left}, []float32{1, -1}, []float32{1, -1}},
		"one comes nearer, one stays":   {nil, []int32{stay, right}, []float32{0, 1}, []float32{0, 1}},
		"a wall moves nobody":           {[][]int32{{left, stay}}, []int32{left, right}, []float32{0, 1}, []float32{0, 1}},
		"the same switch, both onto it": {[][]int32{{left, left}, {up, up}, {stay, up}}, []int32{up, left}, []float32{-1, -1}, []float32{0, 0}},
		"the same switch, the first":    {[][]int32{{left, left}, {up, up}, {stay, up}}, []int32{up, stay}, []float32{1, 0}, []float32{1, 0}},
		"both go away":                  {[][]int32{{up, right}}, []int32{down, left}, []float32{-1, -1}, []float32{-1, -1}},
	} {
		for scheme, want := range map[string][]float32{"difference": c.difference, "shapley": c.shapley} {
			// With both onto the same switch 26 moves are left, as without either;
			// with one of them alone 25.
			e, f, resolved := rewarded(t, switches(t, nil), map[string]any{"scheme": scheme, "bonus": 0, "step_cost": 0})
			require.Equal(t, "work", resolved["value"])
			for _, a := range c.before {
				step(e, f, a...)
			}
			assert.Equal(t, want, step(e, f, c.choice...), "%s: %s", scheme, name)
		}
	}
}

// The last step of the best play pays 0.93; neither could have had it alone.
func TestTwoSwitchTeamReward(t *testing.T) {
	for scheme, want := range map[string]float32{"difference": 0.93, "shapley": 0.465} {
		e, f, _ := rewarded(t, switches(t, nil), map[string]any{"scheme": scheme, "value": "team"})
		solver, _ := envs.As[envs.Solver](e)
		require.NoError(t, solver.Prepare())
		for n := 1; !f.Ended(); n++ {
			step(e, f, solver.AppendBest(nil)...)
			if n < 14 {
				require.Equal(t, []float32{-0.01, -0.01}, f.Rewards, "a sparse reward says nothing before the end")
			}
		}
		for i := range 2 {
			assert.InDelta(t, want, column(e, f, i, "shaping"), 1e-6)
			assert.InDelta(t, want+1-0.01, f.Rewards[i], 1e-6)
			assert.Equal(t, float32(0.93), f.Team[i])
		}
	}
}

// Best play takes 14 steps; where agent_0, who has the longer way, loses one, it
// takes 15, and 0.005 is lost. agent_1 has time.
func TestTwoSwitchReturnOfBestPlay(t *testing.T) {
	of := func(choice ...int32) []float32 {
		e, f, resolved := rewarded(t, switches(t, nil), plain("difference", "return", map[string]any{"policy": "best", "horizon": 100}))
		assert.Equal(t, 300, resolved["world_steps"])
		return step(e, f, choice...)
	}
	assert.InDeltaSlice(t, []float32{0.005, 0}, of(up, right), 1e-6)
	assert.InDeltaSlice(t, []float32{0.005, 0}, of(up, stay), 1e-6)
	assert.InDeltaSlice(t, []float32{-0.005, 0}, of(right, stay), 1e-6)
}

// victim-rubble-v1: engineer and medic stand together in the room. A clearing
// is worth a move to the engineer; the medic's step towards the heap in the same
// moment is blocked still, and worth nothing.
func TestVictimRubbleByHand(t *testing.T) {
	en, err := catalog.All().Find("victim-rubble-v1")
	require.NoError(t, err)
	for _, scheme := range []string{"difference", "shapley"} {
		game, err := en.New(nil)
		require.NoError(t, err)
		e, f, _ := rewarded(t, game, map[string]any{"scheme": scheme, "bonus": 0, "step_cost": 0})
		do := func(engineer, medic string) []float32 {
			names := e.Spec().ActionName
			return step(e, f, int32(slices.Index(names[0], engineer)), int32(slices.Index(names[1], medic)))
		}
		assert.Equal(t, []float32{1, 1}, do("up", "up"), scheme)
		assert.Equal(t, []float32{1, 1}, do("left", "left"), scheme)
		assert.Equal(t, []float32{1, 1}, do("up", "up"), scheme)
		assert.Equal(t, []float32{1, 0}, do("clear", "up"), scheme)
		assert.Equal(t, []float32{0, 1}, do("stay", "up"), scheme)
	}
}

func TestDefaultActionTakesTheActionsPlace(t *testing.T) {
	e, f, resolved := rewarded(t, switches(t, nil), map[string]any{
		"scheme": "difference", "default_action": "up", "bonus": 0, "step_cost": 0,
	})
	assert.Equal(t, "default", resolved["baseline"])
	assert.Equal(t, map[string]any{"agent_0": []string{"up"}, "agent_1": []string{"up"}}, resolved["default_action"])
	assert.Equal(t, []float32{-1, 2}, step(e, f, stay, right), "up is a move nearer for agent_0, and one away for agent_1")

	_, _, resolved = rewarded(t, switches(t, nil), map[string]any{
		"scheme": "shapley", "baseline": "default", "default_action": map[string]any{"agent_1": []any{"down"}, "agent": "left"},
	})
	assert.Equal(t, map[string]any{"agent_0": []string{"left"}, "agent_1": []string{"down"}}, resolved["default_action"])

	e, f, resolved = rewarded(t, world(t, "test-uneven-v0", nil), map[string]any{
		"scheme": "difference", "default_action": map[string]any{"mover_0": "press", "talker": []any{"say here", "loud"}}, "bonus": 0, "step_cost": 0,
	})
	assert.Equal(t, map[string]any{"mover_0": []string{"stay", "press"}, "talker_0": []string{"say here", "loud", "still"}}, resolved["default_action"])
	assert.Equal(t, []float32{0, -1}, step(e, f, 0, 1, 0, 0, 0, 0), "a word would have been worth one")
}

func TestCounterfactualRefuses(t *testing.T) {
	for _, c := range []struct {
		e      envs.Env
		reward map[string]any
		says   string
	}{
		{world(t, "test-count-v0", nil), nil, "value work: test-count-v0 has no solver; the values return and team need no solver"},
		{switches(t, map[string]any{"agents": 4}), nil, "joint states, the limit is 2000000"},
		{bare{switches(t, nil)}, map[string]any{"value": "team"}, "two-switch-v1 can't be copied"},
		{world(t, "test-count-v0", nil), map[string]any{"value": "return", "policy": "best"}, "policy best: test-count-v0 has no solver"},
		{switches(t, nil), map[string]any{"default_action": "jump"}, `agent_0: there is no choice "jump": there are stay, up, down, left, right`},
		{switches(t, nil), map[string]any{"default_action": []any{"up", "down"}}, `"down" is the second choice of one dimension`},
		{switches(t, nil), map[string]any{"default_action": map[string]any{"medic": "up"}}, `"medic" is no agent and no role of two-switch-v1`},
		{world(t, "test-uneven-v0", nil), map[string]any{"default_action": "press"}, "talker_0: there is no choice"},
		{world(t, "test-pixels-v0", nil), map[string]any{"value": "team", "default_action": "left"}, "are boxes"},
	} {
		for _, scheme := range []string{"difference", "shapley"} {
			reward := map[string]any{"scheme": scheme}
			for k, v := range c.reward {
				reward[k] = v
			}
			r, err := wrappers.ParseReward(reward)
			require.NoError(t, err)
			_, _, err = wrappers.Build(c.e, r, nil)
			require.ErrorIs(t, err, wrappers.ErrReward, "%v", reward)
			if scheme == "difference" {
				assert.ErrorContains(t, err, c.says)
			}
		}
	}
}

func TestParseWhatIf(t *testing.T) {
	r, err := wrappers.ParseReward("shapley")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"scheme": "shapley", "value": "work", "baseline": "noop", "samples": 16, "seed": uint64(0), "scale": 1.0, "bonus": 1.0, "step_cost": 0.01,
	}, r.Options())
	r, err = wrappers.ParseReward(map[string]any{"scheme": "difference", "value": "return", "horizon": 3.0, "seed": int64(7), "discount": 0.5})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"scheme": "difference", "value": "return", "baseline": "noop", "horizon": 3, "policy": "random", "rollouts": 1, "discount": 0.5, "seed": uint64(7),
		"scale": 1.0, "bonus": 1.0, "step_cost": 0.01,
	}, r.Options())
	for _, c := range []struct {
		option string
		value  any
		says   string
	}{
		{"value", "luck", "value is one of work, return, team, got \"luck\""},
		{"value", 1, "got 1"},
		{"baseline", "last", "baseline is one of noop, default"},
		{"baseline", "default", "needs default_action"},
		{"policy", "greedy", "policy is one of random, noop, best"},
		{"policy", "best", "policy is an option of value return only"},
		{"horizon", 10, "horizon is an option of value return only"},
		{"rollouts", 2, "rollouts is an option of value return with policy random only"},
		{"discount", 0.5, "discount is an option of value return only"},
		{"discount", 1.5, "discount is a number from 0 to 1"},
		{"horizon", 0, "horizon is a whole number from 1 to 1000, got 0"},
		{"horizon", 2.5, "got 2.5"},
		{"horizon", "3", "got \"3\""},
		{"samples", 4, "difference has no option \"samples\""},
		{"seed", 1, "seed is an option of shapley"},
		{"seed", -1, "seed is a whole number from 0 to 9007199254740992"},
		{"gamma", 0.5, "no option \"gamma\""},
		{"default_action", 3, "got 3"},
		{"default_action", map[string]any{}, "empty"},
		{"default_action", []any{}, "empty"},
		{"default_action", []any{1}, "is a text, got 1"},
	} {
		_, err := wrappers.ParseReward(map[string]any{"scheme": "difference", c.option: c.value})
		require.ErrorIs(t, err, wrappers.ErrReward, "%v", c)
		assert.ErrorContains(t, err, c.says)
	}
	_, err = wrappers.ParseReward(map[string]any{"scheme": "difference", "baseline": "noop", "default_action": "up"})
	assert.ErrorContains(t, err, "default_action is an option of baseline default only")
}

// BenchmarkCounterfactualStep is a step of two-switch-v1 under the schemes, with
// what it costs beside the game alone.
func BenchmarkCounterfactualStep(b *testing.B) {
	for _, c := range []struct {
		name   string
		reward any
	}{
		{"team", "team"},
		{"difference by work", "difference"},
		{"shapley by work", "shapley"},
		{"difference by team", map[string]any{"scheme": "difference", "value": "team"}},
		{"difference by return of 10", map[string]any{"scheme": "difference", "value": "return"}},
		{"shapley by return of 10", map[string]any{"scheme": "shapley", "value": "return"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, f, _ := rewarded(b, switches(b, nil), c.reward)
			a, rng := envs.NewActions(e.Spec()), &envs.Rand{}
			rng.Seed(1)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				envs.DrawLegal(e.Spec(), f.Mask, rng, a)
				e.Step(a, f)
				if f.Ended() {
					e.Reset(uint64(n), f)
				}
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

func TestStepsOfAllCopiesAreBounded(t *testing.T) {
	for _, c := range []struct {
		scheme         string
		options        map[string]any
		agents, copies int
		says           string // "": it may
	}{
		{"difference", nil, 2, 333_333, ""},
		{"difference", nil, 2, 333_334, "difference: a step could take 1000002 steps of the world (333334 copies, 3 each), the limit is 1000000: lower num_envs to 333333"},
		{"difference", map[string]any{"value": "return", "horizon": 1000, "rollouts": 100}, 2, 3, ""},
		{"difference", map[string]any{"value": "return", "horizon": 1000, "rollouts": 100}, 2, 64,
			"a step could take 19200000 steps of the world (64 copies, 300000 each), the limit is 1000000: lower num_envs to 3 or horizon (1000) or rollouts (100)"},
		{"difference", map[string]any{"value": "return", "horizon": 1000, "rollouts": 100}, 16, 1,
			"a step could take 1700000 steps of the world, the limit is 1000000: lower horizon (1000) or rollouts (100)"},
		{"difference", map[string]any{"value": "return", "horizon": 1000, "policy": "noop"}, 16, 64, "lower num_envs to 58 or horizon (1000)"},
		{"shapley", map[string]any{"samples": 1000}, 16, 66, ""},
		{"shapley", map[string]any{"samples": 1000}, 16, 67, "(67 copies, 15002 each), the limit is 1000000: lower num_envs to 66 or samples (1000)"},
		{"shapley", map[string]any{"samples": 1000}, 6, 15_625, ""},
		{"shapley", map[string]any{"samples": 1000}, 6, 15_626, "(15626 copies, 64 each), the limit is 1000000: lower num_envs to 15625"},
		{"credit", nil, 256, 1 << 30, ""},
	} {
		reward := map[string]any{"scheme": c.scheme}
		for k, v := range c.options {
			reward[k] = v
		}
		r, err := wrappers.ParseReward(reward)
		require.NoError(t, err)
		err = r.CheckCopies(c.agents, c.copies)
		if c.says == "" {
			assert.NoError(t, err, "%+v", c)
			continue
		}
		require.ErrorIs(t, err, wrappers.ErrReward)
		assert.ErrorContains(t, err, c.says)
	}
}
