package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
)

// binary builds the program as it is shipped.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "marlpit")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// ledger watches that no reply which is on disk is asked for again.
type ledger struct {
	mu     sync.Mutex
	stored map[string]bool
	asked  map[string]int
	twice  []string // bodies asked although stored
}

func (l *ledger) answer(r shapingtest.Request) shapingtest.Verdict {
	time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	body := string(r.Body)
	l.asked[body]++
	if l.stored[body] {
		l.twice = append(l.twice, body)
	}
	if bytes.Contains(r.Body, []byte("forward")) {
		return shapingtest.Yes(0.7 + 0.2*float64(len(r.User())%2))
	}
	return shapingtest.Yes(0.6)
}

// look notes what the file holds.
func (l *ledger) look(t *testing.T, path string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range query(t, path, `SELECT CAST(body AS TEXT) FROM requests WHERE answered = 1`) {
		l.stored[row] = true
	}
}

// query reads rows of a file as text.
func query(t *testing.T, path, text string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.Query(text)
	require.NoError(t, err)
	columns, err := rows.Columns()
	require.NoError(t, err)
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		require.NoError(t, rows.Scan(into...))
		row := values[0].String
		for _, v := range values[1:] {
			row += "|" + v.String
		}
		out = append(out, row)
	}
	require.NoError(t, rows.Err())
	return out
}

const (
	votesOf = `SELECT transition, agent, n.name, query, vote, confidence, flipped, reason FROM votes JOIN annotators n ON n.id = annotator
		ORDER BY transition, agent, n.name, query`
	repliesOf = `SELECT v.transition, v.agent, v.query, CAST(r.body AS TEXT), CAST(r.reply AS TEXT)
		FROM vote_requests v JOIN requests r ON r.id = v.request ORDER BY 1, 2, 3, 4`
)

// TestLabelIsKilledFiftyTimes kills the program at random moments. Whatever was
// on disk at a kill is never asked for again, at most what was under way is,
// and in the end all is there as if nothing had happened.
func TestLabelIsKilledFiftyTimes(t *testing.T) {
	long(t)
	const kills, workers, pairs = 50, 4, 300
	program := binary(t)
	path := voteFile(t, pairs) // both agents are told the same: 2 requests a pair
	whole := path + ".whole"
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(whole, b, 0o600))

	l := &ledger{stored: map[string]bool{}, asked: map[string]int{}}
	s := shapingtest.NewServer(t, l.answer)
	start := func(db string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.CommandContext(context.Background(), program, "label", "--db", db, "--base-url", s.URL, "--model", "m", "--concurrency", fmt.Sprint(workers))
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = io.Discard, &out
		require.NoError(t, cmd.Start())
		return cmd, &out
	}
	asking := 0 // kills that hit while questions were put
	for i := range kills {
		before := len(s.Requests())
		cmd, out := start(path)
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if i%5 == 0 { // anywhere, at its start too
			time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond)
		} else {
			until, more := time.Now().Add(5*time.Second), 1+rand.IntN(16)
			for len(s.Requests()) < before+more && len(ended) == 0 && time.Now().Before(until) {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		}
		_ = cmd.Process.Kill() // it may have ended
		if err := <-ended; err == nil {
			break // it was quicker
		}
		require.NotContains(t, out.String(), "marlpit:", "it is killed, and fails for no other reason")
		if len(s.Requests()) > before {
			asking++
		}
		l.look(t, path)
	}
	assert.Greater(t, asking, 35)
	cmd, out := start(path)
	require.NoError(t, cmd.Wait(), out.String())

	assert.Empty(t, l.twice, "stored, and asked for again")
	again := 0
	for _, n := range l.asked {
		again += n - 1
	}
	assert.Equal(t, 2*pairs, len(l.asked))
	assert.LessOrEqual(t, again, (kills+1)*workers, "only what was under way is asked twice")
	assert.Equal(t, []string{fmt.Sprint(len(s.Requests()))}, []string{fmt.Sprint(2*pairs + again)})

	cmd, out = start(whole)
	require.NoError(t, cmd.Wait(), out.String())
	want := query(t, whole, votesOf)
	assert.Equal(t, 2*pairs, len(want))
	assert.Equal(t, want, query(t, path, votesOf))
	assert.Equal(t, query(t, whole, repliesOf), query(t, path, repliesOf))
	assert.Equal(t, []string{"ok"}, query(t, path, `PRAGMA integrity_check`))
}
