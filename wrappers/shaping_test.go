package wrappers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// sigmas is σ of every agent at the present state, by the model itself.
func sigmas(e envs.Env, m *prefer.Model, f *envs.Frame) []float64 {
	out := make([]float64, len(e.Spec().Agents))
	for i := range out {
		x := f.State
		if m.Input(i) == shaping.Focus {
			focus, _ := envs.As[envs.Focuser](e)
			x = focus.AppendFocus(nil, i)
		}
		out[i] = float64(m.Value(i, x))
	}
	return out
}

// TestAddTelescopes: for any σ, the discounted sum of the shaping is −w·σ(s0)/sd
// for an agent that is terminated and w·(γ^T σ(s_T) − σ(s0))/sd for one that is
// truncated, each at its own end.
func TestAddTelescopes(t *testing.T) {
	type game struct {
		id     string
		params map[string]any
	}
	games := []game{
		{"test-stages-v0", nil}, // deaths at steps 2, 4 and 7
		{"test-count-v0", map[string]any{"length": 6, "end": "terminate"}},
		{"test-count-v0", map[string]any{"length": 6, "end": "truncate"}},
	}
	rapid.Check(t, func(rt *rapid.T) {
		g := rapid.SampledFrom(games).Draw(rt, "game")
		in := rapid.SampledFrom([]shaping.Input{shaping.State, shaping.Focus}).Draw(rt, "input")
		if g.id == "test-stages-v0" {
			in = shaping.State
		}
		weight := rapid.SampledFrom([]float64{1, 0.25}).Draw(rt, "weight")
		m := randomModel(t, world(t, g.id, g.params), prefer.Agents, in, rapid.Uint64().Draw(rt, "seed"))
		l := &wrappers.Library{}
		l.Add("", m)
		const gamma = 0.5
		e := build(t, g.id, g.params, map[string]any{"scheme": "add", "gamma": gamma, "weight": weight}, l)(world(t, g.id, g.params))
		f := envs.NewFrame(e.Spec())
		e.Reset(0, f)
		first := sigmas(e, m, f)
		n := len(first)
		total, last, ends := make([]float64, n), make([]float64, n), make([]int, n)
		discount := 1.0
		for step := 1; step <= 12; step++ {
			dead := make([]bool, n)
			for i := range dead {
				dead[i] = f.Terminated[i] || f.Truncated[i]
			}
			e.Step(noops(e), f)
			now := sigmas(e, m, f)
			for i := range n {
				shaping := column(e, f, i, "shaping")
				if dead[i] {
					require.Zero(rt, shaping)
					require.Zero(rt, f.Rewards[i])
					continue
				}
				require.Equal(rt, f.Team[i]+shaping, f.Rewards[i])
				total[i] += discount * float64(shaping)
				last[i], ends[i] = now[i], step
			}
			discount *= gamma
		}
		for i := range n {
			times := weight / m.SD(i)
			want := -times * first[i]
			if !f.Terminated[i] {
				require.True(rt, f.Truncated[i])
				want = times * (math.Pow(gamma, float64(ends[i]))*last[i] - first[i])
			}
			require.InDelta(rt, want, total[i], 1e-6)
		}
		if g.id == "test-stages-v0" {
			require.Equal(rt, []int{2, 4, 7}, ends)
		}
	})
}

// both is a game whose last step has both flags.
type both struct{ envs.Env }

func (b both) Unwrap() envs.Env { return b.Env }

func (b both) Step(a envs.Actions, out *envs.Frame) {
	b.Env.Step(a, out)
	copy(out.Truncated, out.Terminated)
}

func TestTerminatedWinsOverTruncated(t *testing.T) {
	params := map[string]any{"length": 1}
	l := library(t, world(t, "test-count-v0", params), 3)
	m, err := l.Find("random-agents", world(t, "test-count-v0", params).Spec(), prefer.Agents)
	require.NoError(t, err)
	e := build(t, "test-count-v0", params, "add", l)(both{world(t, "test-count-v0", params)})
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	first := sigmas(e, m, f)
	e.Step(noops(e), f)
	require.True(t, f.Terminated[0] && f.Truncated[0])
	assert.Equal(t, float32(-first[0])*float32(0.1/m.SD(0)), column(e, f, 0, "shaping"))
}

// TestReplaceIsExact: the reward is (shaping + bonus·success) − cost in
// float32, and an undiscounted episode's shaping sums to scale·(σ(s_T) − σ(s0))/sd.
func TestReplaceIsExact(t *testing.T) {
	for _, scheme := range []string{"credit", "shared", "coin", "direct", "credit-mean", "sum", "none"} {
		for _, id := range []string{"test-stages-v0", "test-count-v0"} {
			l := library(t, world(t, id, nil), 8)
			e := build(t, id, nil, map[string]any{"scheme": scheme, "bonus": 2.5, "step_cost": 0.03}, l)(world(t, id, nil))
			f := envs.NewFrame(e.Spec())
			e.Reset(0, f)
			n := len(f.Rewards)
			won, dead, bonuses := make([]bool, n), make([]bool, n), 0
			for range 9 {
				e.Step(noops(e), f)
				for i := range n {
					want := column(e, f, i, "shaping")
					if success := column(e, f, i, "success") == 1; success && !won[i] {
						want += 2.5
						won[i] = true
						bonuses++
					}
					want -= 0.03
					if dead[i] {
						want = 0
						assert.Zero(t, column(e, f, i, "shaping"))
					}
					assert.Equal(t, math.Float32bits(want), math.Float32bits(f.Rewards[i]), "%s %s", scheme, id)
					dead[i] = f.Terminated[i] || f.Truncated[i]
				}
			}
			assert.Equal(t, n, bonuses)
		}
	}
}

func TestCreditSumsToTheEndsDifference(t *testing.T) {
	w := world(t, "test-count-v0", nil)
	l := library(t, w, 8)
	m, err := l.Find("", w.Spec(), prefer.Agents)
	require.NoError(t, err)
	e := build(t, "test-count-v0", nil, map[string]any{"scheme": "credit", "scale": 0.5}, l)(w)
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	first := sigmas(e, m, f)
	total := make([]float64, len(first))
	for !f.Ended() {
		e.Step(noops(e), f)
		assert.Equal(t, float32(1), column(e, f, 0, "model_version"))
		for i := range total {
			total[i] += float64(column(e, f, i, "shaping"))
		}
	}
	for i, now := range sigmas(e, m, f) {
		require.NotZero(t, now-first[i])
		assert.InDelta(t, 0.5*(now-first[i])/m.SD(i), total[i], 1e-5)
	}
}

func TestTeamSpreads(t *testing.T) {
	l := library(t, world(t, "test-count-v0", nil), 8)
	step := func(scheme string) []float32 {
		e := build(t, "test-count-v0", nil, scheme, l)(world(t, "test-count-v0", nil))
		f := envs.NewFrame(e.Spec())
		e.Reset(0, f)
		e.Step(noops(e), f)
		return []float32{column(e, f, 0, "shaping"), column(e, f, 1, "shaping")}
	}
	own := step("credit")
	require.NotEqual(t, own[0], own[1])
	assert.Equal(t, []float32{own[0] + own[1], own[0] + own[1]}, step("sum"))
	assert.Equal(t, []float32{(own[0] + own[1]) / 2, (own[0] + own[1]) / 2}, step("credit-mean"))
	shared := step("shared")
	assert.Equal(t, shared[0], shared[1])
	assert.NotZero(t, shared[0])
}

func TestWeightZeroIsTheBareGame(t *testing.T) {
	for _, id := range []string{"test-stages-v0", "test-uneven-v0"} {
		bare := world(t, id, nil)
		e := build(t, id, nil, map[string]any{"scheme": "add", "weight": 0}, library(t, bare, 1))(world(t, id, nil))
		f, g := envs.NewFrame(bare.Spec()), envs.NewFrame(e.Spec())
		var rng envs.Rand
		rng.Seed(4)
		for episode := range uint64(20) {
			bare.Reset(episode, f)
			e.Reset(episode, g)
			for range 35 {
				a := noops(bare)
				a.Choice = append([]int32(nil), a.Choice...)
				for k := range a.Choice {
					a.Choice[k] = int32(rng.Intn(3))
				}
				bare.Step(a, f)
				e.Step(a, g)
				for i := range f.Rewards {
					require.Equal(t, math.Float32bits(f.Rewards[i]), math.Float32bits(g.Rewards[i]))
				}
				require.Equal(t, f.State, g.State)
				require.Equal(t, f.Obs, g.Obs)
				require.Equal(t, f.Terminated, g.Terminated)
			}
		}
	}
}

func TestOracleFollowsTheLeastWork(t *testing.T) {
	r, err := wrappers.ParseReward("oracle")
	require.NoError(t, err)
	w, resolved, err := wrappers.Build(world(t, "test-uneven-v0", nil), r, nil)
	require.NoError(t, err)
	sd := resolved["sd"].(float64)
	assert.Greater(t, sd, 0.1)
	assert.LessOrEqual(t, resolved["work_cap"], 14.0) // 6 cells: at most 5 + 1 moves of work, or a bit less, twice
	e := w(world(t, "test-uneven-v0", nil))
	f := envs.NewFrame(e.Spec())
	e.Reset(2, f)
	solver, _ := envs.As[envs.Solver](e)
	for !f.Ended() {
		before, _ := solver.Remaining()
		e.Step(envs.Actions{Choice: solver.AppendBest(nil)}, f)
		after, _ := solver.Remaining()
		for i := range f.Rewards {
			assert.InDelta(t, 0.1*(before-after)/sd, column(e, f, i, "shaping"), 1e-6)
		}
	}
	assert.Equal(t, float32(1), column(e, f, 0, "success"))
	assert.InDelta(t, column(e, f, 0, "shaping")+1-0.01, f.Rewards[0], 1e-6)
}

func TestExpertPaysTheDenseReward(t *testing.T) {
	e := build(t, "test-uneven-v0", nil, "expert", nil)(world(t, "test-uneven-v0", nil))
	f := envs.NewFrame(e.Spec())
	e.Reset(2, f)
	dense, _ := envs.As[envs.DenseRewarder](e)
	want := make([]float32, 2)
	e.Step(envs.Actions{Choice: []int32{0, 0, 0, 3, 0, 0}}, f) // the first word
	dense.DenseRewards(want)
	assert.Equal(t, []float32{0, 1}, want)
	cost := float32(0.01)
	assert.Equal(t, []float32{0 - cost, 1 - cost}, f.Rewards)
}

func TestStatsOfAnEpisode(t *testing.T) {
	e := build(t, "test-stages-v0", nil, map[string]any{"scheme": "none", "bonus": 0.5, "step_cost": 0.25}, nil)(world(t, "test-stages-v0", nil))
	f := envs.NewFrame(e.Spec())
	for range 2 { // the second episode counts anew
		e.Reset(0, f)
		for range 9 {
			e.Step(noops(e), f)
		}
		for i, length := range []float32{2, 4, 7} {
			assert.Equal(t, length, column(e, f, i, "episode_length"))
			assert.Equal(t, float32(3), column(e, f, i, "episode_team_return")) // individual: the sum over agents
			assert.Equal(t, 0.5-0.25*length, column(e, f, i, "episode_return"))
		}
	}
	e = wrappers.Stats(world(t, "test-count-v0", nil))
	f = envs.NewFrame(e.Spec())
	e.Reset(0, f)
	for range 5 {
		e.Step(noops(e), f)
	}
	assert.Equal(t, float32(1), column(e, f, 1, "episode_team_return")) // shared: one agent's
}
