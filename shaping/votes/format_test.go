package votes_test

import (
	"database/sql"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
	"marlpit/shaping/llm"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

//go:embed testdata/version1.sql
var version1 string

// raw opens a file without this program.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// plainly opens the file of a test world without this program.
func plainly(t *testing.T, db *votes.DB) *sql.DB {
	t.Helper()
	return raw(t, "file:"+filepath.ToSlash(filepath.Dir(db.Path()))+"/votes%20%3f%23%25.db")
}

// tables are the columns of every table and view, and the indices.
func tables(t *testing.T, db *sql.DB) map[string][]string {
	t.Helper()
	rows, err := db.Query(`SELECT m.type || ' ' || m.name, coalesce(c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk, '')
		FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c WHERE m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	out := map[string][]string{}
	for rows.Next() {
		var name, column string
		require.NoError(t, rows.Scan(&name, &column))
		out[name] = append(out[name], column)
	}
	require.NoError(t, rows.Err())
	return out
}

func TestVersion1IsBroughtUpToDate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	old := raw(t, path)
	_, err := old.Exec(version1 + `;
		PRAGMA application_id = 1835102828; PRAGMA user_version = 1;
		INSERT INTO worlds VALUES (1, 'line-v1', '{"length":5}', 1, '["agent_0","agent_1"]', 2, '[1,1]');
		INSERT INTO collections VALUES (1, '7', 'random', '{}', 1, 1, 1, 1, 1, 1, 'exact');
		INSERT INTO texts VALUES (1, x'00', 'forward'), (2, x'01', 'backward');
		INSERT INTO transitions VALUES (1, 1, 77, '3', 0, 0, '[1,0]', x'01', x'02', x'0000803f00000000', x'000080bf00000000', 0, 1);
		INSERT INTO transition_agents VALUES (1, 0, 70, 1, 2, 1, 2, x'0000803f', x'000080bf', 1.5);
		INSERT INTO annotators VALUES (1, 'oracle viewpoint=guided');
		INSERT INTO votes VALUES (1, 0, 1, 0, 'second', 1.0, 0, '', '2026-01-01T00:00:00Z')`)
	require.NoError(t, err)
	require.NoError(t, old.Close())

	db, err := votes.Open(ctx, path)
	require.NoError(t, err)
	counts, err := db.Counts(ctx, "oracle viewpoint=guided", false, 0)
	require.NoError(t, err)
	require.Len(t, counts, 1)
	assert.Equal(t, votes.Counted{Transition: 1, StateA: []float32{1, 0}, StateB: []float32{-1, 0}, FocusA: []float32{1}, FocusB: []float32{-1},
		Second: 1, Confidence: 1, Mean: 1, Truth: 1.5, Held: true, Text: 1}, counts[0])
	_, err = db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	again, err := votes.Open(ctx, path)
	require.NoError(t, err)
	require.NoError(t, again.Close())

	fresh := world(t, 1)
	require.NoError(t, fresh.Close())
	assert.Equal(t, tables(t, plainly(t, fresh)), tables(t, raw(t, path)), "as one that is made anew")
}

func TestWorldsOfOtherPeople(t *testing.T) {
	db, err := votes.Create(ctx, filepath.Join(t.TempDir(), "theirs.db"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	w := votes.World{Env: "simple_spread_v3", Agents: []string{"agent_0"}, StateSize: 1}
	_, err = db.Add(ctx, w, votes.Collection{Solver: "bound: the way to the nearest landmark"}, []votes.Transition{{
		StateA: []float32{1}, StateB: []float32{2}, Agents: []votes.Agent{{Index: 0, Plain: [2]string{"f", "b"}, Truth: 1, Family: "walk"}}}})
	require.NoError(t, err)
	r, err := db.Label(ctx, &shaping.Oracle{Noise: shaping.NoisePerFamily}, votes.LabelOptions{View: "plain"})
	require.NoError(t, err)
	assert.Equal(t, 1, r.Valid)
	counts, err := db.Counts(ctx, r.Annotator, false, 0)
	require.NoError(t, err)
	assert.Equal(t, "walk", counts[0].Family)
	assert.Positive(t, counts[0].Text)
	cs, err := db.Collections(ctx)
	require.NoError(t, err)
	assert.Equal(t, "bound: the way to the nearest landmark", cs[0].Solver)
}

func TestTextIsTheSameForEqualWords(t *testing.T) {
	db := world(t, 4)
	for view, texts := range map[string]int{"guided": 8, "plain": 1} {
		r, err := db.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{View: view})
		require.NoError(t, err)
		counts, err := db.Counts(ctx, r.Annotator, false, 0)
		require.NoError(t, err)
		seen := map[int64]bool{}
		for _, c := range counts {
			require.Positive(t, c.Text)
			seen[c.Text] = true
		}
		assert.Len(t, seen, texts, view)
	}
}

// A team is told what its members are, together.
func TestTextOfATeamIsThatOfItsMembers(t *testing.T) {
	db := world(t, 4)
	for view, texts := range map[string]int{"guided": 4, "plain": 1} {
		r, err := db.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{View: view, Team: true})
		require.NoError(t, err)
		counts, err := db.Counts(ctx, r.Annotator, true, 0)
		require.NoError(t, err)
		require.Len(t, counts, 4)
		seen := map[int64]bool{}
		for _, c := range counts {
			require.Positive(t, c.Text)
			seen[c.Text] = true
		}
		assert.Len(t, seen, texts, view)
	}

	wordless, err := votes.Create(ctx, filepath.Join(t.TempDir(), "wordless.db"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = wordless.Close() })
	ts := transitions(2)
	for i := range ts {
		for k := range ts[i].Agents {
			ts[i].Agents[k].Guided = [2]string{}
		}
	}
	_, err = wordless.Add(ctx, testWorld, votes.Collection{}, ts)
	require.NoError(t, err)
	examples, err := wordless.Examples(ctx, true)
	require.NoError(t, err)
	require.Len(t, examples, 2)
	assert.Zero(t, examples[0].Text, "no words are like no others")
}

// Each vote knows the replies it was read from, also those that were paid for
// another question; costs stand with whoever paid.
func TestVotesKnowTheirRepliesAndCosts(t *testing.T) {
	db := world(t, 4)
	s := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict { return shapingtest.Yes(0.7) })
	priced := func(c *llm.Config) { c.PriceIn, c.PriceOut, c.Currency = 2, 10, "EUR" }
	r, err := db.Label(ctx, endpoint(t, db, s, priced), votes.LabelOptions{View: "plain", Queries: 2, Concurrency: 4})
	require.NoError(t, err)
	require.Equal(t, 2, len(s.Requests()), "all are told the same")
	assert.Equal(t, 16, r.Asked)
	// Another threshold reads the same replies, and pays nothing.
	cheap, err := db.Label(ctx, endpoint(t, db, s, func(c *llm.Config) { priced(c); c.Threshold = 3 }), votes.LabelOptions{View: "plain"})
	require.NoError(t, err)
	require.Equal(t, 2, len(s.Requests()))

	q := plainly(t, db)
	var n, requests, tokens int
	var cost float64
	var annotator, currency, body string
	require.NoError(t, q.QueryRow(`SELECT annotator, requests, prompt_tokens + completion_tokens, cost, currency FROM v_costs`).
		Scan(&annotator, &requests, &tokens, &cost, &currency))
	assert.Equal(t, []any{r.Annotator, 2, 82, "EUR"}, []any{annotator, requests, tokens, currency})
	assert.InDelta(t, (80*2+2*10)/1e6, cost, 1e-12)
	require.NoError(t, q.QueryRow(`SELECT count(*), min(body) FROM v_requests WHERE annotator = ? AND transition = 4 AND agent = 1`, cheap.Annotator).Scan(&n, &body))
	assert.Equal(t, 2, n)
	assert.Contains(t, body, "same ")
	require.NoError(t, q.QueryRow(`SELECT count(*) FROM vote_requests`).Scan(&n))
	assert.Equal(t, 2*(16+8), n)
}

// Several annotators share one set of pairs; more queries ask only what is new.
func TestSeveralAnnotatorsAndMoreQueries(t *testing.T) {
	db := world(t, 5)
	s := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict { return shapingtest.Verdict{Text: "A"} })
	pair := func(model string) *llm.Critic {
		return endpoint(t, db, s, func(c *llm.Config) { c.Ask, c.Model = llm.ModePair, model })
	}
	for _, step := range []struct {
		model           string
		queries, before int
		asked           int
	}{{"a", 1, 0, 10}, {"b", 1, 0, 10}, {"a", 3, 10, 20}, {"a", 2, 20, 0}, {"b", 2, 10, 10}} {
		sent := len(s.Requests())
		r, err := db.Label(ctx, pair(step.model), votes.LabelOptions{Queries: step.queries, Concurrency: 2})
		require.NoError(t, err)
		assert.Equal(t, []int{step.before, step.asked}, []int{r.Before, r.Asked}, "%v", step)
		assert.Equal(t, 2*step.asked, len(s.Requests())-sent)
	}
	names, err := db.Annotators(ctx)
	require.NoError(t, err)
	assert.Len(t, names, 2)

	// More transitions later: their questions alone are asked.
	_, err = db.Add(ctx, testWorld, votes.Collection{}, transitions(7))
	require.NoError(t, err)
	r, err := db.Label(ctx, pair("a"), votes.LabelOptions{Queries: 3})
	require.NoError(t, err)
	assert.Equal(t, []int{30, 12}, []int{r.Before, r.Asked})
}

func TestOneAnnotatorLabelsOnceAtATime(t *testing.T) {
	db := world(t, 10)
	hold, under := make(chan struct{}), make(chan struct{}, 100)
	slow := &shapingtest.Scripted{Say: func(shaping.Question) (shaping.Answer, error) {
		under <- struct{}{}
		<-hold
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}}
	ended := make(chan error)
	go func() {
		_, err := db.Label(ctx, slow, votes.LabelOptions{})
		ended <- err
	}()
	<-under
	second, err := votes.Open(ctx, db.Path())
	require.NoError(t, err)
	defer func() { _ = second.Close() }()
	_, err = second.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{})
	require.ErrorIs(t, err, votes.ErrBusy)
	require.ErrorContains(t, err, "process ")
	_, err = second.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err, "others may")
	close(hold)
	require.NoError(t, <-ended)
	r, err := second.Label(ctx, &shapingtest.Scripted{}, votes.LabelOptions{})
	require.NoError(t, err, "the lock was given back")
	assert.Equal(t, 20, r.Before)
}

func TestADeadOwnersLockIsTaken(t *testing.T) {
	db := world(t, 2)
	r, err := db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err)
	q := plainly(t, db)
	lock := func(host string, pid, ago int) {
		_, err := q.Exec(`INSERT OR REPLACE INTO labellings SELECT id, 'x', ?, ?, '', unixepoch() - ? FROM annotators WHERE name = ?`, host, pid, ago, r.Annotator)
		require.NoError(t, err)
	}
	lock("elsewhere", 1, 3)
	_, err = db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.ErrorIs(t, err, votes.ErrBusy)
	require.ErrorContains(t, err, `process 1 on "elsewhere"`)
	lock("elsewhere", 1, 100) // silent for long
	_, err = db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err)
	lock(hostname(t), os.Getpid(), 0) // an earlier process of this number
	_, err = db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err)
	lock(hostname(t), 1<<30, 0) // no such process
	_, err = db.Label(ctx, shaping.Coin{}, votes.LabelOptions{})
	require.NoError(t, err)
}

// Two processes that ask the same at once have both paid.
func TestWhatIsPaidTwiceIsKeptTwice(t *testing.T) {
	db := world(t, 1)
	q, err := db.FirstQuestion(ctx, "guided", false)
	require.NoError(t, err)
	for _, said := range []string{"first", "second"} {
		require.NoError(t, db.Recorder().Keep(ctx, q, shaping.Request{Key: "k", Reply: []byte(said), Status: 200, PromptTokens: 40, Cost: 0.25, Currency: "EUR"}, true))
	}
	spent, err := db.Spendings(ctx)
	require.NoError(t, err)
	assert.Equal(t, []votes.Spending{{Requests: 2, Answered: 1, PromptTokens: 80, Cost: 0.5, Currency: "EUR"}}, spent)
	r, ok, err := db.Recorder().Find(ctx, "k")
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, "first", string(r.Reply), "which votes may have been read from")
}

func TestAFileThatIsMovedEndsTheLabelling(t *testing.T) {
	db := world(t, 20)
	moved := db.Path() + ".moved"
	critic := &shapingtest.Scripted{}
	critic.Say = func(shaping.Question) (shaping.Answer, error) {
		if critic.Asked.Load() == 5 {
			require.NoError(t, os.Rename(db.Path(), moved))
		}
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5, Requests: []shaping.Request{{Status: 200}}}, nil
	}
	r, err := db.Label(ctx, critic, votes.LabelOptions{})
	var replaced *ledger.ReplacedError
	require.ErrorAs(t, err, &replaced)
	assert.Equal(t, db.Path(), replaced.Path)
	assert.Less(t, critic.Asked.Load(), int64(40), "nothing more is asked")
	assert.Equal(t, 40-r.Asked, r.Unasked)
}

func TestDiskErrorsNameTheDiskAndTheFile(t *testing.T) {
	for name, pragma := range map[string]string{"full": `PRAGMA max_page_count = 1`, "read-only": `PRAGMA query_only = 1`} {
		t.Run(name, func(t *testing.T) {
			db := world(t, 400)
			s := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict { return shapingtest.Yes(0.7) })
			require.NoError(t, db.Pragma(pragma))
			r, err := db.Label(ctx, endpoint(t, db, s, nil), votes.LabelOptions{Concurrency: 4})
			var disk *ledger.DiskError
			require.ErrorAs(t, err, &disk)
			assert.Equal(t, name == "full", disk.Full)
			assert.ErrorContains(t, err, db.Path())
			assert.ErrorContains(t, err, "disk, that of "+filepath.Dir(db.Path()))
			assert.LessOrEqual(t, len(s.Requests()), r.Asked*2+2*4, "it ends at once: further answers would be lost as well")
			assert.False(t, errors.Is(err, votes.ErrBusy))
		})
	}
}

func hostname(t *testing.T) string {
	t.Helper()
	name, err := os.Hostname()
	require.NoError(t, err)
	return name
}
