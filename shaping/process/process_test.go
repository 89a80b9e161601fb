package process_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
	"marlpit/shaping/process"
	"marlpit/shaping/votes"
)

// text is a round of two proposals, different for every n.
func text(n int) []byte {
	return fmt.Appendf(nil, `{"world":"w-v1","template":"t%d","apps":["a"],"goal":"g","app":"a","turn":%d,"round":0,"history":[],"elements":[],"proposals":[{"agent":"agent_0","action":{"action_type":"wait"}},{"agent":"agent_1","action":{"action_type":"click","index":0}}]}`, n%2, n)
}

func record(t *testing.T, line []byte) *process.Record {
	t.Helper()
	r, err := process.ParseRecord(line)
	require.NoError(t, err)
	return r
}

func file(t *testing.T) *process.DB {
	t.Helper()
	db, err := process.Create(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

// scripted answers as it is told.
type scripted struct {
	calls atomic.Int64
	say   func(ctx context.Context, r *process.Record) (process.Answer, error)
}

func (s *scripted) Name() string { return "scripted" }
func (s *scripted) Score(ctx context.Context, r *process.Record) (process.Answer, error) {
	s.calls.Add(1)
	return s.say(ctx, r)
}

func says(scores ...float64) *scripted {
	return &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		return process.Answer{Scores: scores, Reasons: []string{"because", "so"}}, nil
	}}
}

func TestARecordedLineIsItsRound(t *testing.T) {
	plain := text(3)
	r := record(t, plain)
	assert.Equal(t, string(plain), string(r.Text))
	r.Right = []bool{false, true}
	right := true
	r.Adversarial = []process.Adversarial{{Agent: "agent_1", Action: json.RawMessage(`{"action_type":"wait"}`), By: "rule", Right: &right}}
	line, err := r.Line()
	require.NoError(t, err)
	again := record(t, line)
	assert.Equal(t, r.Key(), again.Key(), "what is known of a round doesn't change its key")
	assert.Equal(t, r.Right, again.Right)
	assert.Equal(t, r.Adversarial, again.Adversarial)
	first := record(t, []byte(strings.Replace(string(line), "{", "{ \"right\": [true, false] , ", 1)))
	assert.Equal(t, r.Key(), first.Key(), "wherever it stands in the line")
}

func TestWhatIsNoRoundIsNamed(t *testing.T) {
	for want, line := range map[string]string{
		"goal is missing":             `{"proposals":[{"agent":"a","action":{}}]}`,
		"proposals is missing":        `{"goal":"g"}`,
		"proposals[0] has no agent":   `{"goal":"g","proposals":[{"action":{}}]}`,
		"there are two of":            `{"goal":"g","proposals":[{"agent":"a","action":{}},{"agent":"a","action":{}}]}`,
		"either an action or an er":   `{"goal":"g","proposals":[{"agent":"a"}]}`,
		"right has 2 elements for 1":  `{"goal":"g","proposals":[{"agent":"a","action":{}}],"right":[true,true]}`,
		"adversarial[0] needs":        `{"goal":"g","proposals":[{"agent":"a","action":{}}],"adversarial":[{"agent":"b","action":{}}]}`,
		"something follows":           `{"goal":"g","proposals":[{"agent":"a","action":{}}]} {}`,
		"cannot unmarshal array":      `[]`,
		"cannot unmarshal string":     `{"goal":"g","turn":"1"}`,
		"unexpected":                  `{"goal":`,
		"an action is an object":      `{"goal":"g","proposals":[{"agent":"a","action":[1]}]}`,
		"which is an object":          `{"goal":"g","proposals":[{"agent":"a","action":{}}],"adversarial":[{"agent":"a","action":"{}"}]}`,
		`"proposals" is there twice`:  `{"goal":"g","proposals":[{"agent":"a","action":{}}],"proposals":[{"agent":"b","action":{}}]}`,
		`"Goal" is written goal`:      `{"Goal":"g","proposals":[{"agent":"a","action":{}}]}`,
		`"Right" is written right`:    `{"goal":"g","proposals":[{"agent":"a","action":{}}],"Right":[true]}`,
		"is written proposals":        `{"goal":"g","propos\u0061ls":[{"agent":"a","action":{}}]}`,
		"proposals[0] (\"a\") has ei": `{"goal":"g","proposals":[{"agent":"a","action":{},"error":"e"}]}`,
	} {
		_, err := process.ParseRecord([]byte(line))
		require.ErrorIs(t, err, process.ErrRound, line)
		assert.ErrorContains(t, err, want)
	}
}

func TestSolutionErrsAtItsRate(t *testing.T) {
	s, err := process.NewSolution(0.2, 7)
	require.NoError(t, err)
	wrong, n := 0, 4000
	for i := range n {
		r := record(t, text(i))
		r.Right = []bool{i%3 == 0, i%3 != 0}
		a, err := s.Score(t.Context(), r)
		require.NoError(t, err)
		again, _ := s.Score(t.Context(), r)
		require.Equal(t, a, again, "equal rounds, equal mistakes")
		for j, x := range a.Scores {
			if (x == 1) != r.Right[j] {
				wrong++
			}
		}
	}
	assert.InDelta(t, 0.2, float64(wrong)/float64(2*n), 4*math.Sqrt(.2*.8/float64(2*n)))
	_, err = s.Score(t.Context(), record(t, text(0)))
	require.ErrorIs(t, err, process.ErrUnknown)
	_, err = process.NewSolution(1.5, 0)
	require.ErrorIs(t, err, shaping.ErrOptions)

	var sum float64
	for i := range n {
		a, err := process.Random{Seed: 1}.Score(t.Context(), record(t, text(i)))
		require.NoError(t, err)
		sum += a.Scores[0]
		assert.NotEqual(t, a.Scores[0], a.Scores[1])
	}
	assert.InDelta(t, 0.5, sum/float64(n), 4*math.Sqrt(1.0/12/float64(n)))
}

// Pitfall 31, of a critic's own code.
func TestScoresThatAreNoneAreInvalid(t *testing.T) {
	for _, scores := range [][]float64{{math.NaN(), 0}, {math.Inf(1), 0}, {1e9, 0}, {-0.1, 0}, {1}, {0, 0, 0}, nil} {
		a := process.Checked(process.Answer{Scores: scores}, 2)
		assert.False(t, a.Valid(), "%v", scores)
		assert.Nil(t, a.Scores)
	}
	a := process.Checked(process.Answer{Scores: []float64{0, 1}}, 2)
	assert.True(t, a.Valid())
	assert.Equal(t, []string{"", ""}, a.Reasons)
}

func TestAnAnswerIsPaidForOnce(t *testing.T) {
	db, critic := file(t), says(0.25, 1)
	heard := map[string]int{}
	var mu sync.Mutex
	ask := func() *process.Asker {
		return process.NewAsker(critic, db, process.AskOptions{Heard: func(o string, _ error) { mu.Lock(); heard[o]++; mu.Unlock() }})
	}
	a := ask()
	for range 3 {
		got, err := a.Ask(text(1))
		require.NoError(t, err)
		assert.Equal(t, []float64{0.25, 1}, got.Scores)
		assert.Equal(t, "because", got.Reasons[0])
	}
	assert.Equal(t, process.Counts{Asked: 1, Valid: 1, Cached: 2}, a.Counts())
	a.Close()
	b := ask() // as after a restart
	defer b.Close()
	got, err := b.Ask(text(1))
	require.NoError(t, err)
	assert.Equal(t, []float64{0.25, 1}, got.Scores)
	assert.Equal(t, process.Counts{Cached: 1}, b.Counts())
	assert.EqualValues(t, 1, critic.calls.Load())
	assert.Equal(t, map[string]int{"ok": 1, "cached": 3}, heard)
}

func TestInvalidAnswersAreKeptAndCounted(t *testing.T) {
	db, critic := file(t), says(math.NaN(), 1)
	a := process.NewAsker(critic, db, process.AskOptions{})
	defer a.Close()
	for range 2 {
		got, err := a.Ask(text(1))
		require.NoError(t, err)
		assert.False(t, got.Valid())
	}
	assert.Equal(t, process.Counts{Asked: 1, Invalid: 1, Cached: 1}, a.Counts())
}

func TestAFailureIsNoScoreAndIsAskedAgain(t *testing.T) {
	db := file(t)
	critic := &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		return process.Answer{}, errors.New("down")
	}}
	a := process.NewAsker(critic, db, process.AskOptions{})
	defer a.Close()
	for range 2 {
		got, err := a.Ask(text(1))
		require.ErrorContains(t, err, "down")
		assert.Nil(t, got)
	}
	critic.say = func(context.Context, *process.Record) (process.Answer, error) { panic("a bug") }
	_, err := a.Ask(text(1))
	require.ErrorContains(t, err, "a bug")
	assert.Equal(t, process.Counts{Failed: 3}, a.Counts())
	assert.EqualValues(t, 3, critic.calls.Load())
}

func TestAnAnswerAfterTheDeadlineIsKept(t *testing.T) {
	db, release := file(t), make(chan struct{})
	critic := &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		<-release
		return process.Answer{Scores: []float64{1, 0}}, nil
	}}
	a := process.NewAsker(critic, db, process.AskOptions{Deadline: 20 * time.Millisecond})
	defer a.Close()
	_, err := a.Ask(text(1))
	require.ErrorIs(t, err, process.ErrDeadline)
	assert.ErrorContains(t, err, "20ms")
	close(release)
	require.Eventually(t, func() bool { got, err := a.Ask(text(1)); return err == nil && got.Scores[0] == 1 }, 5*time.Second, time.Millisecond)
	assert.EqualValues(t, 1, critic.calls.Load())
}

func TestConcurrencyIsBounded(t *testing.T) {
	db := file(t)
	var now, most atomic.Int64
	critic := &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		n := now.Add(1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
		now.Add(-1)
		return process.Answer{Scores: []float64{1, 0}}, nil
	}}
	a := process.NewAsker(critic, db, process.AskOptions{Concurrency: 3})
	defer a.Close()
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() { _, err := a.Ask(text(i)); assert.NoError(t, err) })
	}
	wg.Wait()
	assert.EqualValues(t, 3, most.Load())
}

func TestARunGoesOnWhereItWas(t *testing.T) {
	db, critic := file(t), says(0.5, 0.75)
	stop := make(chan struct{})
	var records []*process.Record
	for i := range 20 {
		records = append(records, record(t, text(i)))
	}
	records = append(records, records[0])
	r, err := process.Run(t.Context(), db, critic, records, process.RunOptions{Concurrency: 1, Stop: stop, Progress: func(r process.Report) {
		if r.Asked == 5 {
			close(stop)
		}
	}})
	require.NoError(t, err)
	assert.Equal(t, process.Report{Critic: "scripted", Rounds: 20, Asked: 5, Valid: 5, Unasked: 15, Stopped: "it was stopped"}, r)
	r, err = process.Run(t.Context(), db, critic, records, process.RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, process.Report{Critic: "scripted", Rounds: 20, Before: 5, Asked: 15, Valid: 15}, r)
	assert.EqualValues(t, 20, critic.calls.Load())

	table, err := process.Load(t.Context(), db, "")
	require.NoError(t, err)
	assert.Equal(t, 20, table.Len())
	scores, reasons, known := table.Find(records[3].Key())
	assert.True(t, known)
	assert.Equal(t, []float64{0.5, 0.75}, scores)
	assert.Equal(t, []string{"because", "so"}, reasons)
	_, _, known = table.Find(process.KeyOf([]byte("other")))
	assert.False(t, known)
	k := records[3].Key()
	assert.Zero(t, testing.AllocsPerRun(100, func() { table.Find(k) }))
	_, err = process.Load(t.Context(), db, "nobody")
	require.ErrorIs(t, err, process.ErrCritic)
	assert.ErrorContains(t, err, "scripted")
}

func TestARunEndsWhereAskingIsPointless(t *testing.T) {
	db := file(t)
	critic := &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		return process.Answer{}, errors.New("down")
	}}
	var records []*process.Record
	for i := range 40 {
		records = append(records, record(t, text(i)))
	}
	r, err := process.Run(t.Context(), db, critic, records, process.RunOptions{Concurrency: 1, Enough: 4})
	require.NoError(t, err)
	assert.Equal(t, process.Report{Critic: "scripted", Rounds: 40, Unasked: 40, Stopped: "too many failures in a row", LastError: "down"}, r)
}

func TestOtherFilesAreRefused(t *testing.T) {
	_, err := process.Open(t.Context(), filepath.Join(t.TempDir(), "none.db"))
	require.ErrorIs(t, err, process.ErrFile)
	require.ErrorContains(t, err, "`marlpit score` makes one")
	path := filepath.Join(t.TempDir(), "votes.db")
	other, err := votes.Create(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, other.Close())
	_, err = process.Open(t.Context(), path)
	require.ErrorIs(t, err, process.ErrFile)
	require.ErrorContains(t, err, "is a database, but not of scores")
	_, err = process.Create(t.Context(), filepath.Dir(path))
	require.ErrorContains(t, err, "it is a folder, a file is wanted")
}

func TestAFileThatIsMovedEndsTheScoring(t *testing.T) {
	db := file(t)
	var records []*process.Record
	for i := range 9 {
		records = append(records, record(t, text(i)))
	}
	asked := 0
	critic := &scripted{say: func(_ context.Context, r *process.Record) (process.Answer, error) {
		if asked++; asked == 3 {
			require.NoError(t, os.Rename(db.Path(), db.Path()+".moved"))
		}
		return process.Answer{Scores: make([]float64, len(r.Proposals)), Reasons: make([]string, len(r.Proposals))}, nil
	}}
	_, err := process.Run(t.Context(), db, critic, records, process.RunOptions{Concurrency: 1})
	var replaced *ledger.ReplacedError
	require.ErrorAs(t, err, &replaced)
	require.ErrorIs(t, err, process.ErrFile)
	assert.LessOrEqual(t, asked, 4, "nothing more is asked")
}

func TestExchangesAreKept(t *testing.T) {
	store := file(t).Recorder()
	first, second := shaping.Request{Key: "k", Prompt: "p", Body: []byte("asked"), Reply: []byte("said"), Status: 200, PromptTokens: 7, CompletionTokens: 2, Cost: 0.5, Currency: "EUR"},
		shaping.Request{Key: "k", Reply: []byte("said again"), Status: 200}
	require.NoError(t, store.Keep(t.Context(), shaping.Question{}, shaping.Request{Key: "k", Status: 500}, false))
	_, ok, err := store.Find(t.Context(), "k")
	require.NoError(t, err)
	assert.False(t, ok, "a failure is for the record")
	require.NoError(t, store.Keep(t.Context(), shaping.Question{}, first, true))
	require.NoError(t, store.Keep(t.Context(), shaping.Question{}, second, true))
	got, ok, err := store.Find(t.Context(), "k")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, first, got, "the first reply counts")
}

func TestNobodyWaitsForLongOnceAllIsToEnd(t *testing.T) {
	stop, late := make(chan struct{}), make(chan struct{})
	critic := &scripted{say: func(context.Context, *process.Record) (process.Answer, error) {
		<-late
		return process.Answer{Scores: []float64{1, 0}}, nil
	}}
	a := process.NewAsker(critic, file(t), process.AskOptions{Deadline: time.Hour, Stop: stop})
	defer a.Close()
	close(stop)
	time.AfterFunc(50*time.Millisecond, func() { close(late) })
	got, err := a.Ask(text(1))
	require.NoError(t, err, "what comes soon is waited for")
	assert.Equal(t, []float64{1, 0}, got.Scores)

	hangs := &scripted{say: func(ctx context.Context, _ *process.Record) (process.Answer, error) {
		<-ctx.Done()
		return process.Answer{}, ctx.Err()
	}}
	b := process.NewAsker(hangs, file(t), process.AskOptions{Deadline: time.Hour, Stop: stop})
	defer b.Close()
	start := time.Now()
	_, err = b.Ask(text(2))
	require.ErrorIs(t, err, process.ErrDeadline)
	assert.Less(t, time.Since(start), time.Minute)
}
