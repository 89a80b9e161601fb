package wrappers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/envs/envtest"
	"marlpit/shaping/process"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// roundsWorld is the world of rounds with the buttons of its goal.
const roundsWorld = "test-rounds-v0"

func TestProcessContract(t *testing.T) {
	for name, reward := range map[string]any{
		"solution": "process", "with errors": map[string]any{"scheme": "process", "error_rate": 0.2, "critic_seed": 3},
		"random": map[string]any{"scheme": "process", "critic": "random", "baseline": 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			envtest.RunWrapped(t, entry(t, roundsWorld), build(t, roundsWorld, nil, reward, nil), nil, map[string]any{"agents": 4, "rounds": 3})
		})
	}
	t.Run("scores", func(t *testing.T) {
		w, _ := recorded(t, nil)
		envtest.RunWrapped(t, entry(t, roundsWorld), w)
	})
	t.Run("model", func(t *testing.T) {
		envtest.RunWrapped(t, entry(t, roundsWorld), fitted(t, entry(t, roundsWorld), nil, 60))
	})
}

// panel is a wrapped world of rounds whose goal is green, then blue.
func panel(t *testing.T, w envs.Wrapper, agents int) (envs.Env, *envs.Frame) {
	t.Helper()
	e := w(world(t, roundsWorld, map[string]any{"agents": agents}))
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	st, _ := envs.As[envs.Structured](e)
	inner := envs.NewFrame(unwrapped(e).Spec())
	require.NoError(t, st.SetState([]byte(`{"goal":[1,2],"progress":0,"turn":0,"round":0,"gave_up":false}`), inner))
	return e, f
}

func unwrapped(e envs.Env) envs.Env {
	for {
		u, ok := e.(envs.Unwrapper)
		if !ok {
			return e
		}
		e = u.Unwrap()
	}
}

func infoOf(e envs.Env, f *envs.Frame, name string) []float32 {
	s := e.Spec()
	var out []float32
	for i := range s.Agents {
		out = append(out, f.Info[i*len(s.Info)+s.InfoColumn(name)])
	}
	return out
}

func reasons(e envs.Env) []string {
	x, _ := envs.As[envs.Explainer](e)
	var out []string
	for _, n := range x.AppendNotes(nil) {
		if n.Kind == "reason" {
			out = append(out, n.Text)
		}
	}
	return out
}

func TestProcessPaysTheSolution(t *testing.T) {
	e, f := panel(t, build(t, roundsWorld, nil, map[string]any{"scheme": "process", "bonus": 2, "step_cost": 0.25, "baseline": 0.5}, nil), 3)
	p, _ := envs.As[envs.Proposer](e)
	require.Error(t, p.Propose(2, []byte(`{"action_type":"fly"}`)))
	e.Step(envs.Actions{Choice: []int32{2, 1, p.ProposalChoice()}}, f) // green is right, red is wrong, the third is wasted
	assert.Equal(t, []float32{1, 0, 0}, infoOf(e, f, "process_score"))
	assert.Equal(t, []float32{1, 1, 1}, infoOf(e, f, "process_valid"))
	assert.Equal(t, []float32{0.5, -0.5, -0.5}, infoOf(e, f, "shaping"))
	assert.Equal(t, []float32{0.25, -0.75, -0.75}, f.Rewards)
	assert.Equal(t, []string{"the task's solution would do this next", "the task's solution would not do this next"}, reasons(e), "a wasted proposal has its error")
	for _, c := range []int32{2, 3, 3} {
		e.Step(envs.Actions{Choice: []int32{c, c, c}}, f)
	}
	assert.Equal(t, []float32{1, 1, 1}, f.Team, "what the game pays stays what it was")
	assert.Equal(t, []float32{2.25, 2.25, 2.25}, f.Rewards, "score − baseline + bonus − cost")
	e.Step(envs.Actions{Choice: []int32{3, 3, 3}}, f)
	assert.Equal(t, []float32{0, 0, 0}, f.Rewards, "after the end")
	assert.Equal(t, []float32{0, 0, 0}, infoOf(e, f, "process_valid"))
}

func TestProcessErrsAtItsRate(t *testing.T) {
	e := build(t, roundsWorld, nil, map[string]any{"scheme": "process", "error_rate": 0.2}, nil)(world(t, roundsWorld, map[string]any{"agents": 8, "length": 4}))
	f := envs.NewFrame(e.Spec())
	r, _ := envs.As[envs.Rounder](e)
	act := envs.NewActions(e.Spec())
	var rng envs.Rand
	rng.Seed(1)
	wrong, n := 0, 0
	for episode := range 60 {
		e.Reset(uint64(episode), f)
		for !f.Ended() {
			envs.DrawLegal(e.Spec(), f.Mask, &rng, act)
			right := r.AppendRight(nil, act)
			e.Step(act, f)
			for i, s := range infoOf(e, f, "process_score") {
				n++
				if (s == 1) != right[i] {
					wrong++
				}
			}
		}
	}
	require.Greater(t, n, 1000)
	assert.InDelta(t, 0.2, float64(wrong)/float64(n), 0.04)
}

// recorded is a wrapper with the scores of one round: the first of the panel in
// which both agents say green.
func recorded(t *testing.T, scores []float64) (envs.Wrapper, *process.DB) {
	t.Helper()
	db, err := process.Create(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	e, _ := panel(t, wrappers.Stats, 2)
	r, _ := envs.As[envs.Rounder](e)
	x, err := process.ParseRecord(r.AppendRound(nil, envs.Actions{Choice: []int32{2, 2}}))
	require.NoError(t, err)
	a := process.Answer{Invalid: "unreadable"}
	if scores != nil {
		a = process.Answer{Scores: scores, Reasons: []string{"good", "as good"}}
	}
	require.NoError(t, db.Save(t.Context(), "somebody", x, a))
	table, err := process.Load(t.Context(), db, "")
	require.NoError(t, err)
	reward, err := wrappers.ParseReward(map[string]any{"scheme": "process", "scores": "s"})
	require.NoError(t, err)
	w, resolved, err := wrappers.BuildProcess(world(t, roundsWorld, nil), reward, wrappers.Judges{Table: table})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"scheme": "process", "scores": "s", "baseline": 0.0, "bonus": 1.0, "step_cost": 0.01}, resolved)
	return w, db
}

func TestRecordedScoresAreServedByContent(t *testing.T) {
	w, _ := recorded(t, []float64{0.75, 0.5})
	e, f := panel(t, w, 2)
	e.Step(envs.Actions{Choice: []int32{2, 2}}, f)
	assert.Equal(t, []float32{0.75, 0.5}, infoOf(e, f, "process_score"))
	assert.Equal(t, []string{"good", "as good"}, reasons(e))
	e.Step(envs.Actions{Choice: []int32{2, 2}}, f)
	assert.Equal(t, []float32{0, 0}, infoOf(e, f, "process_valid"), "a round that nobody scored")
	assert.Equal(t, []float32{-0.01, -0.01}, f.Rewards)
	assert.Contains(t, reasons(e)[0], "none of those that were scored")

	w, _ = recorded(t, nil)
	e, f = panel(t, w, 2)
	e.Step(envs.Actions{Choice: []int32{2, 2}}, f)
	assert.Equal(t, []float32{0, 0}, infoOf(e, f, "process_valid"), "an invalid answer is no score")
	assert.Equal(t, []float32{0, 0}, infoOf(e, f, "process_score"))
}

type says func() (process.Answer, error)

func (says) Name() string { return "says" }
func (s says) Score(context.Context, *process.Record) (process.Answer, error) {
	return s()
}

func TestProcessWaitsForItsCritic(t *testing.T) {
	db, err := process.Create(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	defer func() { assert.NoError(t, db.Close()) }()
	reward, err := wrappers.ParseReward(map[string]any{"scheme": "process", "critic": "big"})
	require.NoError(t, err)
	_, _, err = wrappers.Build(world(t, roundsWorld, nil), reward, nil)
	require.ErrorIs(t, err, wrappers.ErrReward)
	for _, c := range []struct {
		say    says
		valid  float32
		reward float32
		reason string
	}{
		{func() (process.Answer, error) {
			return process.Answer{Scores: []float64{0.5, 1}, Reasons: []string{"hm", "yes"}}, nil
		}, 1, 0.49, "hm"},
		{func() (process.Answer, error) { return process.Answer{Invalid: "no score for \"agent_1\""}, nil }, 0, -0.01, "no score for \"agent_1\""},
		{func() (process.Answer, error) { return process.Answer{}, errors.New("dial 10.0.0.7: refused") }, 0, -0.01, "could not be had"},
		{func() (process.Answer, error) { return process.Answer{}, fmt.Errorf("ask: %w", votes.ErrBudget) }, 0, -0.01, "the budget of requests is used up"},
		{func() (process.Answer, error) {
			time.Sleep(300 * time.Millisecond)
			return process.Answer{}, errors.New("late")
		}, 0, -0.01, "no answer in time, 100ms"},
	} {
		asker := process.NewAsker(c.say, db, process.AskOptions{Deadline: 100 * time.Millisecond})
		w, _, err := wrappers.BuildProcess(world(t, roundsWorld, nil), reward, wrappers.Judges{Asker: asker})
		require.NoError(t, err)
		e := w(world(t, roundsWorld, nil))
		f := envs.NewFrame(e.Spec())
		e.Reset(uint64(len(c.reason)), f) // rounds of their own: answers are kept
		e.Step(envs.Actions{Choice: []int32{4, int32(len(c.reason)) % 4}}, f)
		assert.Equal(t, c.valid, infoOf(e, f, "process_valid")[0], c.reason)
		assert.InDelta(t, c.reward, f.Rewards[0], 1e-6, c.reason)
		assert.Contains(t, reasons(e)[0], c.reason)
		assert.NotContains(t, reasons(e)[0], "10.0.0.7")
		asker.Close()
	}
}

func TestProcessOptions(t *testing.T) {
	r, err := wrappers.ParseReward("process")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"scheme": "process", "critic": "solution", "error_rate": 0.0, "critic_seed": uint64(0), "baseline": 0.0, "bonus": 1.0, "step_cost": 0.01}, r.Options())
	r, err = wrappers.ParseReward(map[string]any{"scheme": "process", "critic": "big", "deadline": 2, "concurrency": 4})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"scheme": "process", "critic": "big", "deadline": 2.0, "budget_requests": 10000, "concurrency": 4, "baseline": 0.0, "bonus": 1.0, "step_cost": 0.01}, r.Options())
	for want, options := range map[string]map[string]any{
		"error_rate means nothing to the critic \"random\", which takes critic, baseline, critic_seed, bonus": {"critic": "random", "error_rate": 0.1},
		"deadline means nothing to the critic \"solution\"":                                                   {"deadline": 3},
		"critic_seed means nothing to recorded scores":                                                        {"scores": "s", "critic_seed": 3},
		"process takes one of critic, scores and model":                                                       {"scores": "s", "critic": "solution"},
		"critic is a name, got 3":                                                                             {"critic": 3},
		"critic is a name, got \"\"":                                                                          {"critic": ""},
		"error_rate is a number from 0 to 1, got 2":                                                           {"error_rate": 2},
		"deadline is a number from 0.001 to 3600, got 1e-10":                                                  {"critic": "x", "deadline": 1e-10},
		"deadline is a number from 0.001 to 3600, got NaN":                                                    {"critic": "x", "deadline": math.NaN()},
		"concurrency is a whole number from 1 to 256, got 0":                                                  {"critic": "x", "concurrency": 0},
		"process has no option \"scale\"":                                                                     {"scale": 1},
	} {
		options["scheme"] = "process"
		_, err := wrappers.ParseReward(options)
		require.ErrorIs(t, err, wrappers.ErrReward)
		assert.ErrorContains(t, err, want)
	}
	_, _, err = wrappers.Build(world(t, "test-count-v0", nil), wrappers.Reward{Scheme: "process"}, nil)
	require.ErrorIs(t, err, wrappers.ErrReward)
	r, _ = wrappers.ParseReward("process")
	_, _, err = wrappers.Build(world(t, "test-count-v0", nil), r, nil)
	require.ErrorContains(t, err, "test-count-v0 has no rounds")
}

func TestProcessAllocatesNothing(t *testing.T) {
	scored, _ := recorded(t, []float64{1, 1})
	for name, w := range map[string]envs.Wrapper{
		"solution": build(t, roundsWorld, nil, "process", nil),
		"errors":   build(t, roundsWorld, nil, map[string]any{"scheme": "process", "error_rate": 0.2}, nil),
		"random":   build(t, roundsWorld, nil, map[string]any{"scheme": "process", "critic": "random"}, nil),
		"scores":   scored,
		"model":    fitted(t, entry(t, roundsWorld), map[string]any{"agents": 2}, 60),
	} {
		e, f := panel(t, w, 2)
		a := envs.Actions{Choice: []int32{2, 2}}
		seed := uint64(0)
		assert.Zero(t, testing.AllocsPerRun(200, func() {
			if f.Ended() {
				e.Reset(seed, f)
				seed++
			}
			e.Step(a, f)
		}), name)
	}
}

// In the shipped worlds of rounds, critics can read every round, and the score
// is whether the solution agrees.
func TestProcessInShippedWorlds(t *testing.T) {
	for _, id := range []string{"phone-v1", "web-v1"} {
		entry, err := catalog.All().Find(id)
		require.NoError(t, err)
		template, err := entry.New(nil)
		require.NoError(t, err)
		reward, err := wrappers.ParseReward("process")
		require.NoError(t, err)
		w, _, err := wrappers.Build(template, reward, nil)
		require.NoError(t, err)
		e := w(template)
		f := envs.NewFrame(e.Spec())
		r, _ := envs.As[envs.Rounder](e)
		s, _ := envs.As[envs.Snapshotter](e)
		act := envs.NewActions(e.Spec())
		var rng envs.Rand
		rng.Seed(2)
		for episode := range uint64(6) {
			e.Reset(episode, f)
			for range 6 {
				envs.DrawLegal(e.Spec(), f.Mask, &rng, act)
				x, err := process.ParseRecord(r.AppendRound(nil, act))
				require.NoError(t, err)
				require.Len(t, x.Proposals, len(e.Spec().Agents))
				for i, p := range x.Proposals {
					assert.Equal(t, e.Spec().Agents[i], p.Agent)
				}
				right := r.AppendRight(nil, act)
				e.Step(act, f)
				for i, score := range infoOf(e, f, "process_score") {
					assert.Equal(t, right[i], score == 1)
				}
				restored := envs.NewFrame(e.Spec())
				require.NoError(t, s.Restore(s.AppendSnapshot(nil), restored))
				assert.Equal(t, infoOf(e, f, "process_score"), infoOf(e, restored, "process_score"))
				if f.Ended() {
					break
				}
			}
		}
	}
}
