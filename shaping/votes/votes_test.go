package votes_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

var ctx = context.Background()

// world is a file with n transitions of two agents: agent 0 improves in every
// other one, agent 1 never does anything.
func world(t *testing.T, n int) *votes.DB {
	t.Helper()
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "votes ?#%.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	added, err := db.Add(ctx, testWorld, votes.Collection{Seed: math.MaxUint64, Policy: "random", Frames: 100, Kept: n}, transitions(n))
	require.NoError(t, err)
	require.Equal(t, n, added)
	return db
}

var testWorld = votes.World{Env: "line-v1", Params: map[string]any{"length": 5.0}, ObsVersion: 1,
	Agents: []string{"agent_0", "agent_1"}, StateSize: 2, FocusSizes: []int{1, 1}}

func transitions(n int) []votes.Transition {
	out := make([]votes.Transition, n)
	for i := range out {
		x := float32(i)
		truth := float64(i%2*2 - 1)
		agent := func(index int, truth float64) votes.Agent {
			return votes.Agent{Index: index, Truth: truth, FocusA: []float32{x}, FocusB: []float32{-x},
				Guided: [2]string{fmt.Sprintf("g %d.%d forward", i, index), fmt.Sprintf("g %d.%d backward", i, index)},
				Plain:  [2]string{"same forward", "same backward"}}
		}
		out[i] = votes.Transition{Seed: 3, Copy: 1, Step: i, Actions: []int32{1, 0}, SnapshotA: []byte{byte(i)}, SnapshotB: []byte{1},
			StateA: []float32{x, 0}, StateB: []float32{x, 1}, Agents: []votes.Agent{
				agent(0, truth), agent(1, 0), {Index: votes.Team, Truth: truth, Guided: [2]string{"team f", "team b"}}}}
	}
	return out
}

func TestAddIsIdempotentAndKeepsToItsWorld(t *testing.T) {
	db := world(t, 10)
	hash, err := db.ContentHash(ctx)
	require.NoError(t, err)
	added, err := db.Add(ctx, testWorld, votes.Collection{}, transitions(12))
	require.NoError(t, err)
	assert.Equal(t, 2, added)
	other, err := db.ContentHash(ctx)
	require.NoError(t, err)
	assert.NotEqual(t, hash, other)

	strange := testWorld
	strange.Params = map[string]any{"length": 6.0}
	_, err = db.Add(ctx, strange, votes.Collection{}, nil)
	require.ErrorIs(t, err, votes.ErrWorld)
	require.ErrorContains(t, err, "another world: parameter length: 5 in the file, 6 here")
	assert.NotContains(t, err.Error(), "agents", "only what differs")

	got, err := db.World(ctx)
	require.NoError(t, err)
	assert.Equal(t, testWorld, got)
	cs, err := db.Collections(ctx)
	require.NoError(t, err)
	assert.Equal(t, uint64(math.MaxUint64), cs[0].Seed)
	again, err := world(t, 10).ContentHash(ctx)
	require.NoError(t, err)
	assert.Equal(t, hash, again)
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	_, err := votes.Open(ctx, filepath.Join(dir, "none.db"))
	require.ErrorIs(t, err, votes.ErrFile)
	assert.NoFileExists(t, filepath.Join(dir, "none.db"))

	text := filepath.Join(dir, "text.db")
	require.NoError(t, os.WriteFile(text, []byte("this is a text of some length, no database"), 0o600))
	_, err = votes.Open(ctx, text)
	require.ErrorIs(t, err, votes.ErrFile)

	foreign := filepath.Join(dir, "foreign.db")
	raw, err := sql.Open("sqlite", foreign)
	require.NoError(t, err)
	_, err = raw.Exec(`CREATE TABLE t (x)`)
	require.NoError(t, err)
	require.NoError(t, raw.Close())
	_, err = votes.Create(ctx, foreign)
	require.ErrorIs(t, err, votes.ErrFile)

	newer := world(t, 1)
	require.NoError(t, newer.Close())
	raw, err = sql.Open("sqlite", filepath.Join(dir, "newer.db"))
	require.NoError(t, err)
	_, err = raw.Exec(`CREATE TABLE t (x); PRAGMA application_id = 1835102828; PRAGMA user_version = 9`)
	require.NoError(t, err)
	require.NoError(t, raw.Close())
	_, err = votes.Open(ctx, filepath.Join(dir, "newer.db"))
	require.ErrorContains(t, err, "version 9")
}

func TestLabelCountsAndConfidence(t *testing.T) {
	db := world(t, 6)
	critic := &shapingtest.Scripted{Say: func(q shaping.Question) (shaping.Answer, error) {
		switch {
		case q.Truth == 0:
			return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5, Flipped: q.Query == 0}, nil
		case q.Query == 1:
			return shaping.Answer{Vote: shaping.Invalid, Reason: "mumbled"}, nil
		case q.Query == 2:
			return shaping.Answer{Vote: shaping.Second, Confidence: math.NaN()}, nil // passes no clamp: invalid
		case q.Truth > 0:
			return shaping.Answer{Vote: shaping.Second, Confidence: 0.9}, nil
		}
		return shaping.Answer{Vote: shaping.First, Confidence: 0.2}, nil
	}}
	r, err := db.Label(ctx, critic, votes.LabelOptions{Queries: 4, Concurrency: 3})
	require.NoError(t, err)
	assert.Equal(t, votes.Report{Annotator: "scripted viewpoint=guided", Wanted: 48, Asked: 48, Valid: 36, Tie: 24, Flipped: 6, Invalid: 12}, r)

	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	require.Len(t, counts, 12)
	for _, c := range counts {
		if c.Agent == 1 {
			assert.Equal(t, 0.5, c.Confidence)
			assert.Equal(t, 4, c.Tie)
			continue
		}
		assert.Equal(t, 2, c.Valid())
		assert.Equal(t, 2, c.Invalid)
		assert.Equal(t, map[bool]float64{true: 1, false: 0}[c.Truth > 0], c.Confidence)
		assert.InDelta(t, map[bool]float64{true: 0.9, false: 0.2}[c.Truth > 0], c.Mean, 1e-12)
	}
	again, err := db.Label(ctx, critic, votes.LabelOptions{Queries: 4})
	require.NoError(t, err)
	assert.Equal(t, 48, again.Before)
	assert.Zero(t, again.Asked)
	assert.EqualValues(t, 48, critic.Asked.Load())

}

func TestTeamQuestionsStandApart(t *testing.T) {
	db := world(t, 5)
	r, err := db.Label(ctx, &shaping.Oracle{}, votes.LabelOptions{Team: true})
	require.NoError(t, err)
	assert.Equal(t, 5, r.Asked)
	counts, err := db.Counts(ctx, r.Annotator, true, 0)
	require.NoError(t, err)
	require.Len(t, counts, 5)
	assert.Equal(t, votes.Team, counts[0].Agent)
	none, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestResumeAsksWhatIsMissing(t *testing.T) {
	db := world(t, 20)
	stop := make(chan struct{})
	var once sync.Once
	critic := &shapingtest.Scripted{}
	critic.Say = func(shaping.Question) (shaping.Answer, error) {
		if critic.Asked.Load() >= 11 {
			once.Do(func() { close(stop) })
		}
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}
	slow := shapingtest.Slow{Critic: critic, Delay: time.Millisecond}
	r, err := db.Label(ctx, slow, votes.LabelOptions{Queries: 2, Concurrency: 4, Stop: stop})
	require.NoError(t, err)
	assert.Equal(t, "stopped", r.Stopped)
	assert.GreaterOrEqual(t, r.Asked, 11)
	assert.LessOrEqual(t, r.Asked, 11+2*4, "nothing new once stopped")
	assert.Equal(t, 80-r.Asked, r.Unasked)
	assert.EqualValues(t, r.Asked, critic.Asked.Load(), "what was under way was finished and kept")

	path := db.Path()
	require.NoError(t, db.Close())
	db, err = votes.Open(ctx, path)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	before := r.Asked
	r, err = db.Label(ctx, slow, votes.LabelOptions{Queries: 2, Concurrency: 4})
	require.NoError(t, err)
	assert.Equal(t, before, r.Before)
	assert.Equal(t, 80-before, r.Asked)
	assert.EqualValues(t, 80, critic.Asked.Load())
}

func TestCancelledContextKeepsWhatWasAnswered(t *testing.T) {
	db := world(t, 20)
	c, cancel := context.WithCancel(ctx)
	critic := &shapingtest.Scripted{Say: func(shaping.Question) (shaping.Answer, error) {
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}}
	r, err := db.Label(c, critic, votes.LabelOptions{Progress: func(r votes.Report) {
		if r.Asked >= 5 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	assert.EqualValues(t, r.Asked, critic.Asked.Load())
	r2, err := db.Label(ctx, critic, votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, r.Asked, r2.Before)
	assert.EqualValues(t, 40, critic.Asked.Load())
}

type fatal struct{ error }

func (fatal) Fatal() bool     { return true }
func (f fatal) Unwrap() error { return f.error }

func TestErrorsLeaveQuestionsOpen(t *testing.T) {
	boom := errors.New("boom")
	db := world(t, 10)
	failing := &shapingtest.Failing{Critic: &shapingtest.Scripted{}, Every: 4, Err: boom}
	r, err := db.Label(ctx, failing, votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, 15, r.Asked)
	assert.Equal(t, 5, r.Failed)
	assert.Equal(t, 5, r.Unasked)
	assert.Equal(t, "boom", r.LastError)

	always := &shapingtest.Failing{Critic: &shapingtest.Scripted{ID: "x"}, Every: 1, Err: boom}
	r, err = db.Label(ctx, always, votes.LabelOptions{MaxErrors: 3})
	require.ErrorIs(t, err, boom)
	assert.Equal(t, 3, r.Failed)
	assert.Equal(t, 20, r.Unasked)

	r, err = db.Label(ctx, &shapingtest.Failing{Critic: &shapingtest.Scripted{ID: "y"}, Every: 1, Err: fatal{boom}}, votes.LabelOptions{})
	require.ErrorIs(t, err, boom)
	assert.Equal(t, 1, r.Failed)

	bad := &shapingtest.Scripted{ID: "z", Say: func(shaping.Question) (shaping.Answer, error) { return shaping.Answer{Vote: "maybe"}, nil }}
	_, err = db.Label(ctx, bad, votes.LabelOptions{})
	require.ErrorContains(t, err, `"maybe"`)
}

func endpoint(t *testing.T, db *votes.DB, s *shapingtest.Server, change func(*llm.Config)) *llm.Critic {
	t.Helper()
	cfg := llm.Config{BaseURL: s.URL, Model: "m", Store: db.Recorder(), Backoff: time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	c, err := llm.New(cfg)
	require.NoError(t, err)
	return c
}

func TestBudgetThenResumeThenOffline(t *testing.T) {
	db := world(t, 5)
	s := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict { return shapingtest.Yes(0.7) })
	budget := votes.NewBudget(votes.Limits{Requests: 7})
	c := endpoint(t, db, s, func(c *llm.Config) { c.Meter = budget })
	r, err := db.Label(ctx, c, votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, "votes: the budget is used up: of 7 requests", r.Stopped)
	assert.Equal(t, 3, r.Asked)
	assert.Equal(t, 7, r.Unasked)
	assert.Equal(t, 7, budget.Used().Requests)
	require.Len(t, s.Requests(), 7)

	// The half-asked question goes on from its stored reply: 13 more, not 14.
	r, err = db.Label(ctx, endpoint(t, db, s, nil), votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, 7, r.Asked)
	assert.Zero(t, r.Unasked)
	require.Len(t, s.Requests(), 20)

	// Another threshold is another annotator, but nothing new to ask.
	offline := endpoint(t, db, s, func(c *llm.Config) { c.Offline, c.Threshold = true, 0.5 })
	r, err = db.Label(ctx, offline, votes.LabelOptions{})
	require.NoError(t, err)
	assert.Equal(t, 10, r.Asked)
	// A query more is the same question at temperature 0, and the same reply.
	r, err = db.Label(ctx, offline, votes.LabelOptions{Queries: 2})
	require.NoError(t, err)
	assert.Equal(t, 10, r.Asked)
	// Pairs were never asked, and offline asks nobody.
	r, err = db.Label(ctx, endpoint(t, db, s, func(c *llm.Config) { c.Offline, c.Ask = true, llm.ModePair }), votes.LabelOptions{MaxErrors: 3})
	require.NoError(t, err, "a reply that isn't there says nothing about the next")
	assert.Equal(t, 10, r.Failed)
	assert.Contains(t, r.LastError, "offline")
	require.Len(t, s.Requests(), 20)
}

func TestAnnotatorIsFoundByPart(t *testing.T) {
	db := world(t, 2)
	_, err := db.Annotator(ctx, "")
	require.ErrorIs(t, err, votes.ErrAnnotator)
	for _, c := range []shaping.Critic{&shaping.Oracle{ErrorRate: 0.25}, shaping.Coin{}} {
		_, err := db.Label(ctx, c, votes.LabelOptions{})
		require.NoError(t, err)
	}
	name, err := db.Annotator(ctx, "coin")
	require.NoError(t, err)
	assert.Equal(t, "coin seed=0 viewpoint=guided", name)
	_, err = db.Annotator(ctx, "")
	require.ErrorContains(t, err, "which annotator: several have voted: oracle error_rate=0.25")
	require.ErrorContains(t, err, "; say which by --annotator (a part of the name)")
	_, err = db.Annotator(ctx, "viewpoint")
	require.ErrorContains(t, err, `"viewpoint" matches several: oracle`)
	_, err = db.Annotator(ctx, "human")
	require.ErrorIs(t, err, votes.ErrAnnotator)
}

func TestViewsReadLikeALedger(t *testing.T) {
	db := world(t, 2)
	_, err := db.Label(ctx, shaping.AlwaysFirst{}, votes.LabelOptions{Queries: 3})
	require.NoError(t, err)
	raw, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(filepath.Dir(db.Path()), "votes%20%3f%23%25.db"))+"?mode=ro")
	require.NoError(t, err)
	defer func() { _ = raw.Close() }()
	var name, words string
	var flips, valid int
	var confidence float64
	require.NoError(t, raw.QueryRow(`SELECT agent_name, guided, sum(flipped) FROM v_votes WHERE agent = 1 AND transition = 1`).Scan(&name, &words, &flips))
	assert.Equal(t, []any{"agent_1", "g 0.1 forward", 3}, []any{name, words, flips})
	require.NoError(t, raw.QueryRow(`SELECT valid, confidence FROM v_confidence LIMIT 1`).Scan(&valid, &confidence))
	assert.Equal(t, []any{3, 0.5}, []any{valid, confidence})
}
