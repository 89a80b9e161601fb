package study_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
)

func panel(t *testing.T, params map[string]any) envs.Env {
	t.Helper()
	entry, err := envs.NewRegistry(worlds.Entries()...).Find("test-rounds-v0")
	require.NoError(t, err)
	e, err := entry.New(params)
	require.NoError(t, err)
	return e
}

func sampled(t *testing.T, opt study.SampleOptions) ([]*process.Record, study.Sampled) {
	t.Helper()
	var out []*process.Record
	s, err := study.SampleRounds(ctx, panel(t, map[string]any{"agents": 4, "length": 4}), opt, func(r *process.Record) error {
		out = append(out, r)
		return nil
	})
	require.NoError(t, err)
	return out, s
}

func scoresFile(t *testing.T) *process.DB {
	t.Helper()
	db, err := process.Create(ctx, filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

func TestRoundsAreSampled(t *testing.T) {
	records, s := sampled(t, study.SampleOptions{Rounds: 150, Seed: 3, Wrong: study.WrongByRule})
	require.Len(t, records, 150)
	keys := map[process.Key]bool{}
	for _, r := range records {
		keys[r.Key()] = true
		require.Len(t, r.Right, 4)
		require.Len(t, r.Adversarial, 1)
		a := r.Adversarial[0]
		assert.NotEmpty(t, a.Words)
		assert.False(t, *a.Right, "the rule knows what is wrong")
		line, err := r.Line()
		require.NoError(t, err)
		again, err := process.ParseRecord(line)
		require.NoError(t, err)
		assert.Equal(t, r, again)
	}
	assert.Len(t, keys, 150)
	assert.Equal(t, 150, s.Adversarial)
	assert.InDelta(t, 0.5, float64(s.Right)/float64(s.Proposals), 0.1, "half are right, and a random one may be")

	same, _ := sampled(t, study.SampleOptions{Rounds: 150, Seed: 3, Wrong: study.WrongByRule})
	assert.Equal(t, records, same)
	plain, _ := sampled(t, study.SampleOptions{Rounds: 20, Seed: 3, Proposals: study.SolutionProposals})
	for _, r := range plain {
		assert.Equal(t, []bool{true, true, true, true}, r.Right)
	}
	_, err := study.SampleRounds(ctx, panel(t, map[string]any{"length": 1, "max_turns": 1, "rounds": 1}), study.SampleOptions{Rounds: 10_000}, func(*process.Record) error { return nil })
	require.ErrorContains(t, err, "ask for fewer")
	other, err := envs.NewRegistry(worlds.Entries()...).Find("test-count-v0")
	require.NoError(t, err)
	e, _ := other.New(nil)
	_, err = study.SampleRounds(ctx, e, study.SampleOptions{}, nil)
	require.ErrorIs(t, err, study.ErrNoRounds)
}

// adversary says the next of a list.
type adversary struct {
	actions []string
	n       int
}

func (a *adversary) Wrong(_ context.Context, _ *process.Record, agent string) (process.Adversarial, []shaping.Request, string, error) {
	action := a.actions[a.n%len(a.actions)]
	a.n++
	if action == "" {
		return process.Adversarial{}, nil, "no action", nil
	}
	return process.Adversarial{Agent: agent, Action: []byte(action), Reason: "it looks right", By: "model"}, nil, "", nil
}

// What a model takes for wrong is checked by the world, and marked.
func TestAdversariesAreChecked(t *testing.T) {
	a := &adversary{actions: []string{`{"action_type":"click","index":0}`, `{"action_type":"fly"}`, "", `{"action_type":"status","goal_status":"complete"}`}}
	records, s := sampled(t, study.SampleOptions{Rounds: 80, Wrong: study.WrongByModel, Adversary: a})
	assert.Equal(t, 20, s.Unplayable)
	assert.Equal(t, 20, s.Unreadable)
	assert.Equal(t, 40, s.Adversarial)
	assert.Greater(t, s.TurnedRight, 2)
	turned := 0
	for _, r := range records {
		for _, x := range r.Adversarial {
			assert.Equal(t, "it looks right", x.Reason)
			if *x.Right {
				turned++
			}
		}
	}
	assert.Equal(t, s.TurnedRight, turned)
	_, err := study.SampleRounds(ctx, panel(t, nil), study.SampleOptions{Wrong: study.WrongByModel}, nil)
	require.ErrorContains(t, err, "need a model")
}

func TestJudgingRounds(t *testing.T) {
	records, _ := sampled(t, study.SampleOptions{Rounds: 120, Seed: 1})
	judge := func(c process.Critic, both bool) study.RoundJudgement {
		j, err := study.JudgeRounds(ctx, scoresFile(t), c, records, both, process.RunOptions{})
		require.NoError(t, err)
		return j
	}
	exact := judge(process.Solution{}, false)
	all := exact.Scores[0]
	assert.Equal(t, 480, all.Proposals)
	assert.Equal(t, 480, all.Agreed)
	assert.Equal(t, 1.0, all.MeanRight)
	assert.Equal(t, 0.0, all.MeanWrong)
	assert.Equal(t, study.Usable, exact.Verdict)
	assert.Nil(t, exact.Flips)
	require.Len(t, exact.Apps, 1)
	assert.Equal(t, "panel", exact.Apps[0].Of)
	assert.Equal(t, "press-4", exact.Templates[0].Of)

	noisy := judge(process.Solution{ErrorRate: 0.2, Seed: 5}, false).Scores[0]
	assert.InDelta(t, 0.8, noisy.Accuracy, 0.06)
	assert.Less(t, noisy.Low, noisy.Accuracy)
	assert.Greater(t, noisy.High, noisy.Accuracy)
	assert.Less(t, noisy.High-noisy.Low, 0.1)

	assert.Equal(t, study.Reversed, judge(process.Solution{ErrorRate: 1}, false).Verdict)
	assert.Equal(t, study.Blind, judge(process.Random{}, false).Verdict)
	always := judge(named{func(r *process.Record) []float64 { return []float64{1, 1, 1, 1} }}, true)
	assert.Equal(t, study.Blind, always.Verdict, "always the same is blind, whatever share is right")
	assert.Equal(t, 0, always.Flips.Part)
	half := judge(named{func(r *process.Record) []float64 { return []float64{.5, .5, .5, .5} }}, false)
	assert.Equal(t, study.Blind, half.Verdict)
	assert.Equal(t, 480, half.Scores[0].Undecided)

	// Pitfall 30: who likes what stands first flips where the order does.
	first := judge(named{func(r *process.Record) []float64 { return []float64{1, 0.9, 0.1, 0} }}, true)
	assert.Equal(t, study.Blind, first.Verdict)
	assert.Equal(t, first.Flips.Of, first.Flips.Part)

	broken := judge(named{func(r *process.Record) []float64 { return nil }}, false)
	assert.Equal(t, 120, broken.Scores[0].Invalid)
	assert.Equal(t, 120, broken.Invalid)
	assert.Equal(t, study.Nothing, broken.Verdict)

	for _, r := range records {
		r.Right = nil
	}
	_, err := study.JudgeRounds(ctx, scoresFile(t), process.Solution{}, records, false, process.RunOptions{})
	require.ErrorIs(t, err, study.ErrTruth)
}

type named struct {
	say func(*process.Record) []float64
}

func (named) Name() string { return "named" }
func (n named) Score(_ context.Context, r *process.Record) (process.Answer, error) {
	return process.Answer{Scores: n.say(r)}, nil
}

func TestCriticsOfRoundsAreConfigured(t *testing.T) {
	c := study.NewCriticConfig("solution", "solution")
	c.ErrorRate = 0.25
	made, err := c.BuildRounds(study.CriticDeps{})
	require.NoError(t, err)
	assert.Equal(t, "solution error_rate=0.25 seed=0", made.Name())
	_, err = c.Build(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	assert.ErrorContains(t, err, "judges rounds of talk, not transitions")
	_, err = study.NewCriticConfig("oracle", "oracle").BuildRounds(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	_, err = c.BuildAdversary(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	c.ErrorRate = 2
	_, err = c.BuildRounds(study.CriticDeps{})
	require.ErrorIs(t, err, study.ErrCritic)
	assert.False(t, errors.Is(err, shaping.ErrTruth))
}
