package wrappers_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/process"
	"marlpit/wrappers"
)

func shipped(t testing.TB, id string) envs.Entry {
	t.Helper()
	entry, err := catalog.All().Find(id)
	require.NoError(t, err)
	return entry
}

// scorer is fitted to what the solution critic says of rounds in which half the
// agents do what is right, and the others what they like.
func scorer(t testing.TB, world envs.Entry, params map[string]any, rounds int) *process.Model {
	t.Helper()
	db, err := process.Create(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	e, err := world.New(params)
	require.NoError(t, err)
	rounder, _ := envs.As[envs.Rounder](e)
	proposer, _ := envs.As[envs.Proposer](e)
	guide, _ := envs.As[envs.Guide](e)
	f, a := envs.NewFrame(e.Spec()), envs.NewActions(e.Spec())
	var rng envs.Rand
	rng.Seed(1)
	for n, seed := 0, uint64(0); n < rounds; seed++ {
		for e.Reset(seed, f); !f.Ended() && n < rounds; n++ {
			envs.DrawLegal(e.Spec(), f.Mask, &rng, a)
			for i := range a.Choice {
				if b := guide.AppendSolution(nil); rng.Intn(2) == 0 && proposer.Propose(i, b) == nil {
					a.Choice[i] = proposer.ProposalChoice()
				}
			}
			x, err := process.ParseRecord(rounder.AppendRound(nil, a))
			require.NoError(t, err)
			x.Right = rounder.AppendRight(nil, a)
			said, err := process.Solution{}.Score(t.Context(), x)
			require.NoError(t, err)
			require.NoError(t, db.Save(t.Context(), "solution", x, said))
			e.Step(a, f)
		}
	}
	m, err := process.FitModel(t.Context(), db, process.ModelOptions{Name: "m", ObsVersion: func(string) (int, error) { return e.Spec().ObsVersion, nil }})
	require.NoError(t, err)
	return m
}

// fitted is the wrapper that pays what such a scorer says.
func fitted(t testing.TB, world envs.Entry, params map[string]any, rounds int) envs.Wrapper {
	t.Helper()
	e, err := world.New(params)
	require.NoError(t, err)
	reward, err := wrappers.ParseReward(map[string]any{"scheme": "process", "model": "m", "baseline": 0.5})
	require.NoError(t, err)
	w, resolved, err := wrappers.BuildProcess(e, reward, wrappers.Judges{Model: scorer(t, world, params, rounds)})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"scheme": "process", "model": "m", "baseline": 0.5, "bonus": 1.0, "step_cost": 0.01}, resolved)
	return w
}

func TestAFittedScorerPays(t *testing.T) {
	e, f := panel(t, fitted(t, entry(t, roundsWorld), map[string]any{"agents": 2}, 400), 2)
	e.Step(envs.Actions{Choice: []int32{2, 1}}, f) // green is right, red is wrong
	scores := infoOf(e, f, "process_score")
	assert.Greater(t, scores[0], float32(0.6))
	assert.Less(t, scores[1], float32(0.4))
	assert.Equal(t, []float32{1, 1}, infoOf(e, f, "process_valid"))
	assert.InDelta(t, scores[0]-0.5-0.01, f.Rewards[0], 1e-6)
}

func TestScorersAreOfOneWorld(t *testing.T) {
	m := scorer(t, entry(t, roundsWorld), nil, 30)
	reward, err := wrappers.ParseReward(map[string]any{"scheme": "process", "model": "m"})
	require.NoError(t, err)
	web, err := shipped(t, "web-v1").New(nil)
	require.NoError(t, err)
	_, _, err = wrappers.BuildProcess(web, reward, wrappers.Judges{Model: m})
	require.ErrorIs(t, err, wrappers.ErrReward)
	require.ErrorIs(t, err, process.ErrModel)
	require.ErrorContains(t, err, `"m" is of "test-rounds-v0", not of web-v1`)
	m.Header.ObsVersion++
	_, _, err = wrappers.BuildProcess(world(t, roundsWorld, nil), reward, wrappers.Judges{Model: m})
	require.ErrorContains(t, err, "is of version 2 of test-rounds-v0, which is at 1")
	_, _, err = wrappers.BuildProcess(world(t, roundsWorld, nil), reward, wrappers.Judges{})
	require.ErrorContains(t, err, "a server that has loaded it")
	for _, bad := range []map[string]any{{"model": 3}, {"model": ""}, {"model": "m", "scores": "s"}, {"model": "m", "critic": "random"}, {"model": "m", "deadline": 3}} {
		bad["scheme"] = "process"
		_, err := wrappers.ParseReward(bad)
		require.ErrorIs(t, err, wrappers.ErrReward, "%v", bad)
	}
}

// BenchmarkScorer measures what a fitted scorer adds to the steps of a team,
// beside the critic solution.
func BenchmarkScorer(b *testing.B) {
	phone := shipped(b, "phone-v1")
	template, err := phone.New(nil)
	require.NoError(b, err)
	reward, err := wrappers.ParseReward("process")
	require.NoError(b, err)
	solution, _, err := wrappers.BuildProcess(template, reward, wrappers.Judges{})
	require.NoError(b, err)
	for _, x := range []struct {
		name string
		wrap envs.Wrapper
	}{{"team", wrappers.Stats}, {"model", fitted(b, phone, nil, 100)}, {"solution", solution}} {
		b.Run(x.name, func(b *testing.B) {
			inner, err := phone.New(nil)
			require.NoError(b, err)
			e := x.wrap(inner)
			f, a := envs.NewFrame(e.Spec()), envs.NewActions(e.Spec())
			var rng envs.Rand
			rng.Seed(1)
			e.Reset(1, f)
			for b.Loop() {
				if f.Ended() {
					b.StopTimer()
					e.Reset(rng.Uint64(), f)
					b.StartTimer()
				}
				envs.DrawLegal(e.Spec(), f.Mask, &rng, a)
				e.Step(a, f)
			}
		})
	}
}
