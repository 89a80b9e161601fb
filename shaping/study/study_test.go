package study_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/prefer"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

var ctx = context.Background()

func collected(t *testing.T, opt study.CollectOptions) (*study.Collected, *votes.DB) {
	t.Helper()
	got, err := study.Collect(ctx, lineEntry, nil, opt)
	require.NoError(t, err)
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "votes.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Add(ctx, got.World, got.Collection, got.Transitions)
	require.NoError(t, err)
	return got, db
}

func TestCollectKeepsChangesOnceWithExactCredit(t *testing.T) {
	got, db := collected(t, study.CollectOptions{Transitions: 60, Steps: 300, Copies: 8})
	assert.Equal(t, 60, len(got.Transitions))
	assert.EqualValues(t, 2400, got.Collection.Frames)
	assert.Equal(t, "exact", got.Collection.Solver)
	assert.EqualValues(t, 3, got.World.Params["max_cycles"], "the world is the user's")
	assert.EqualValues(t, 0, got.Collection.Params["max_cycles"], "play had no limit")
	assert.Equal(t, []int{1, 1}, got.World.FocusSizes)

	seen, terminals := map[string]bool{}, 0
	for _, tr := range got.Transitions {
		require.NotEqual(t, tr.StateA, tr.StateB)
		key := fmt.Sprint(tr.StateA, tr.StateB)
		require.False(t, seen[key])
		seen[key] = true
		if tr.Terminal {
			terminals++
			assert.Equal(t, []float32{1, 1}, tr.StateB)
		}
		require.Len(t, tr.Agents, 3)
		sum := 0.0
		for i, a := range tr.Agents[:2] {
			moved := math.Round(float64(tr.StateB[i]-tr.StateA[i]) * 6)
			require.Equal(t, moved, a.Truth, "credit is the way gained")
			sum += moved
			before, now := 6-int(math.Round(6*float64(tr.StateA[i]))), 6-int(math.Round(6*float64(tr.StateB[i])))
			require.Equal(t, fmt.Sprintf("walker_%d. Before it was %d away; now it is %d away.", i, before, now), a.Plain[0])
			require.Equal(t, fmt.Sprintf("walker_%d. Its next goal is the end. Before it was %d away; now it is %d away.", i, now, before), a.Guided[1])
			require.Equal(t, []float32{tr.StateA[i]}, a.FocusA)
			require.Equal(t, []float32{tr.StateB[i]}, a.FocusB)
		}
		team := tr.Agents[2]
		require.Equal(t, votes.Team, team.Index)
		require.Equal(t, sum, team.Truth)
	}
	q, err := db.FirstQuestion(ctx, "plain", true)
	require.NoError(t, err)
	first := got.Transitions[0].Agents
	assert.True(t, strings.HasSuffix(q.Forward, "\n\n"+first[0].Plain[0]+"\n\n"+first[1].Plain[0]), q.Forward)
	assert.True(t, strings.HasSuffix(q.Backward, "\n\n"+first[0].Plain[1]+"\n\n"+first[1].Plain[1]), q.Backward)
	assert.Equal(t, first[2].Truth, q.Truth)
	assert.Positive(t, terminals, "ends of episodes are kept")
}

func TestCollectIsDeterministic(t *testing.T) {
	opt := study.CollectOptions{Transitions: 40, Steps: 100, Copies: 4, Seed: 5}
	_, a := collected(t, opt)
	_, b := collected(t, opt)
	opt.Seed = 6
	_, c := collected(t, opt)
	hashes := make([]string, 3)
	for i, db := range []*votes.DB{a, b, c} {
		h, err := db.ContentHash(ctx)
		require.NoError(t, err)
		hashes[i] = h
	}
	assert.Equal(t, hashes[0], hashes[1])
	assert.NotEqual(t, hashes[0], hashes[2])
}

func TestCollectOptions(t *testing.T) {
	got, _ := collected(t, study.CollectOptions{Transitions: 10, Steps: 1000, Copies: 4, Enough: 2})
	assert.Less(t, got.Collection.Steps, 1000, "stopped when it had enough")
	assert.GreaterOrEqual(t, got.Collection.Distinct, int64(20))
	for _, opt := range []study.CollectOptions{{Transitions: -1}, {Enough: 0.5}, {Enough: math.NaN()}, {Copies: -1}, {Steps: -3}} {
		_, err := study.Collect(ctx, lineEntry, nil, opt)
		assert.ErrorIs(t, err, study.ErrCollect)
	}
	_, err := study.Collect(ctx, lineEntry, map[string]any{"size": 3}, study.CollectOptions{})
	assert.ErrorIs(t, err, envs.ErrParams)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = study.Collect(ended, lineEntry, nil, study.CollectOptions{})
	assert.ErrorIs(t, err, context.Canceled)
}

// Worlds with other abilities: unlike agents and actions, deaths, pictures.
func TestCollectFromTestWorlds(t *testing.T) {
	for _, id := range []string{"test-uneven-v0", "test-stages-v0", "test-pixels-v0", "test-count-v0"} {
		t.Run(id, func(t *testing.T) {
			entry, err := envs.Registry(worlds.Entries()).Find(id)
			require.NoError(t, err)
			got, err := study.Collect(ctx, entry, nil, study.CollectOptions{Transitions: 30, Steps: 60, Copies: 3})
			require.NoError(t, err)
			db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "v.db"))
			require.NoError(t, err)
			defer func() { require.NoError(t, db.Close()) }()
			_, err = db.Add(ctx, got.World, got.Collection, got.Transitions)
			require.NoError(t, err)
			if got.Collection.Solver != "exact" {
				_, err = db.Label(ctx, &shaping.Oracle{}, votes.LabelOptions{})
				require.ErrorIs(t, err, shaping.ErrTruth)
			}
		})
	}
}

func TestFitFromNoisyOracle(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 600, Steps: 500, Copies: 16})
	_, err := db.Label(ctx, &shaping.Oracle{ErrorRate: 0.25, Seed: 1}, votes.LabelOptions{Queries: 3, Concurrency: 2})
	require.NoError(t, err)
	model, report, err := study.Fit(ctx, db, study.FitOptions{Name: "line", CreatedBy: "test"})
	require.NoError(t, err)
	assert.Equal(t, prefer.Agents, model.Header.Kind)
	assert.EqualValues(t, 8000, model.Header.Frames)
	assert.Equal(t, []uint64{0, 0}, model.Header.Seeds)
	assert.Equal(t, "oracle error_rate=0.25 noise=iid seed=1 viewpoint=guided", model.Header.Critic)
	assert.Equal(t, report.Votes.Asked, report.Votes.Valid)
	require.Len(t, report.Nets, 2)
	for _, n := range report.Nets {
		require.NotNil(t, n.Truth)
		assert.Greater(t, n.Truth.Rate(), 0.9)
		assert.Greater(t, n.HeldOut.N, 5)
		assert.False(t, n.Flat())
	}
	again, _, err := study.Fit(ctx, db, study.FitOptions{Name: "line", CreatedBy: "test"})
	require.NoError(t, err)
	assert.Equal(t, model, again)
}

func TestFitKindsAndControls(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 500, Copies: 16})
	_, _, err := study.Fit(ctx, db, study.FitOptions{})
	require.ErrorIs(t, err, votes.ErrAnnotator)
	label := func(c shaping.Critic, team bool) {
		_, err := db.Label(ctx, c, votes.LabelOptions{Team: team})
		require.NoError(t, err)
	}
	label(&shaping.Oracle{}, true)
	_, _, err = study.Fit(ctx, db, study.FitOptions{})
	require.ErrorIs(t, err, study.ErrVotes, "asked about the team only")
	shared, report, err := study.Fit(ctx, db, study.FitOptions{Shared: true})
	require.NoError(t, err)
	assert.Equal(t, prefer.Shared, shared.Header.Kind)
	require.NotNil(t, report.Nets[0].Truth)
	assert.Greater(t, report.Nets[0].Truth.Rate(), 0.9)

	label(shaping.Coin{}, false)
	coin, report, err := study.Fit(ctx, db, study.FitOptions{Annotator: "coin"})
	require.NoError(t, err)
	assert.Equal(t, prefer.Coin, coin.Header.Kind)
	assert.Zero(t, report.Flipped)

	// Position bias gives ties, σ stays flat, and the report shows it.
	label(shaping.AlwaysFirst{}, false)
	flat, report, err := study.Fit(ctx, db, study.FitOptions{Annotator: "first"})
	require.NoError(t, err)
	assert.Equal(t, 1.0, report.FlipRate)
	for i, n := range report.Nets {
		assert.True(t, n.Flat())
		assert.Equal(t, flat.Value(i, []float32{0, 0}), flat.Value(i, []float32{1, 1}))
	}
}

func TestInvalidVotesAreNeverTies(t *testing.T) {
	_, db := collected(t, study.CollectOptions{Transitions: 100, Steps: 300, Copies: 8})
	mumbles := &shapingtest.Scripted{Say: func(q shaping.Question) (shaping.Answer, error) {
		if q.Key%4 != 0 {
			return shaping.Answer{Vote: shaping.Invalid, Reason: "mumbled"}, nil
		}
		return shaping.Answer{Vote: shaping.Second, Confidence: 1}, nil
	}}
	_, err := db.Label(ctx, mumbles, votes.LabelOptions{})
	require.NoError(t, err)
	_, report, err := study.Fit(ctx, db, study.FitOptions{})
	if err != nil {
		require.ErrorIs(t, err, study.ErrVotes)
	}
	assert.Equal(t, report.Votes.Valid, report.Pairs)
	assert.Equal(t, report.Votes.Invalid, report.LeftOut)
	assert.Zero(t, report.Votes.Tie)
}

func TestScoresOfCritics(t *testing.T) {
	got, db := collected(t, study.CollectOptions{Transitions: 300, Steps: 500, Copies: 16})
	for _, c := range []struct {
		rate     float64
		accuracy float64
		verdict  study.Verdict
	}{{0, 1, study.Usable}, {0.25, 0.75, study.Usable}, {0.5, 0.5, study.Blind}, {1, 0, study.Reversed}} {
		r, err := db.Label(ctx, &shaping.Oracle{ErrorRate: c.rate, Seed: 4}, votes.LabelOptions{})
		require.NoError(t, err)
		counts, err := db.Counts(ctx, r.Annotator, false, 0)
		require.NoError(t, err)
		s := study.ScoreVotes(counts, got.World.Agents)
		require.Len(t, s, 3)
		assert.Equal(t, []string{"all", "walker_0", "walker_1"}, []string{s[0].Agent, s[1].Agent, s[2].Agent})
		assert.InDelta(t, c.accuracy, s[0].Accuracy, 0.08)
		assert.Equal(t, c.verdict, s[0].Verdict, "%v", c.rate)
		assert.Equal(t, s[0].Questions, s[0].Right+s[0].Wrong+s[0].Even)
		assert.Zero(t, s[0].False)
		assert.True(t, s[0].Low <= s[0].Accuracy && s[0].Accuracy <= s[0].High)
	}
	r, err := db.Label(ctx, shaping.AlwaysFirst{}, votes.LabelOptions{})
	require.NoError(t, err)
	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	s := study.ScoreVotes(counts, got.World.Agents)[0]
	assert.Equal(t, study.Blind, s.Verdict)
	assert.Equal(t, 1.0, s.FlipRate())
	assert.Zero(t, s.Right+s.Wrong)
}

// The fake endpoint compares the two numbers: "fewer is better".
func TestEndToEndOverHTTP(t *testing.T) {
	got, db := collected(t, study.CollectOptions{Transitions: 120, Steps: 300, Copies: 8})
	s := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		var agent, before, now int
		words := r.User()
		_, err := fmt.Sscanf(words[:len("walker_0. Before it was 0 away; now it is 0 away.")],
			"walker_%d. Before it was %d away; now it is %d away.", &agent, &before, &now)
		if err != nil {
			return shapingtest.Verdict{Text: err.Error()}
		}
		return shapingtest.Yes(0.8 + 0.1*float64(before-now)) // likes to say yes
	})
	c, err := llm.New(llm.Config{BaseURL: s.URL, Model: "m", Store: db.Recorder()})
	require.NoError(t, err)
	require.NoError(t, db.AddPrompts(ctx, votes.Prompt{Hash: llm.Prompts()[0].Hash, Name: llm.Prompts()[0].Name, Text: llm.Prompts()[0].Text}))
	r, err := db.Label(ctx, c, votes.LabelOptions{View: "plain", Concurrency: 4})
	require.NoError(t, err)
	require.Zero(t, r.Invalid)
	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	score := study.ScoreVotes(counts, got.World.Agents)[0]
	assert.Equal(t, 1.0, score.Accuracy)
	assert.Zero(t, score.False)
	model, _, err := study.Fit(ctx, db, study.FitOptions{Graded: true})
	require.NoError(t, err)
	assert.Equal(t, llm.Prompts()[0].Hash, model.Header.Prompt)
	examples, err := db.Examples(ctx, false)
	require.NoError(t, err)
	assert.Greater(t, study.ScoreModel(model, examples, got.World.Agents, false)[0].Accuracy, 0.9)
}
