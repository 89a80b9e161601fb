package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

func TestLabelKeepsItsBudgets(t *testing.T) {
	s := shapingtest.NewServer(t, sayYes) // 41 tokens a request
	price := "--price-in 10 --price-out 10 --currency EUR --concurrency 1"
	for _, c := range []struct {
		args     string
		requests int
		says     string
	}{
		{"--budget-requests 7", 7, "of 7 requests"},
		{"--budget-tokens 300", 7, "of 300 tokens are spent"}, // after seven 287 are spent
		{"--budget-cost 0.0021", 5, "in money are spent"},     // 0.00041 each
	} {
		path := voteFile(t, 20) // 40 requests
		args := strings.Fields("label --db " + path + " --base-url " + s.URL + " --model m " + price + " " + c.args)
		var l labelled
		programJSON(t, &l, args...)
		assert.Equal(t, c.requests, l.Requests, c.args)
		assert.Contains(t, l.Stopped, c.says)
		assert.Equal(t, 40, l.Asked+l.Unasked)
		assert.Equal(t, 41*c.requests, l.PromptTokens+l.CompletionTokens)
		assert.InDelta(t, 0.00041*float64(c.requests), l.Cost, 1e-9)
		require.NotNil(t, l.Rest)
		assert.Equal(t, 40, l.Requests+l.Rest.Requests, "what remains")
		assert.InDelta(t, 0.00041*float64(l.Rest.Requests), l.Rest.Cost, 5e-4, "expected from what was taken so far")
		assert.NotEmpty(t, l.BudgetLeft)

		code, out, errs := program(args...)
		require.Zero(t, code, errs)
		assert.Contains(t, out, "the rest   is expected to take ")
		assert.Contains(t, out, " EUR\n")
		assert.Contains(t, out, "budget     ")
		var whole labelled
		programJSON(t, &whole, args[:len(args)-2]...)
		assert.Zero(t, whole.Unasked)
		cost := query(t, path, `SELECT requests, prompt_tokens + completion_tokens, round(cost, 6), currency FROM v_costs`)
		assert.Equal(t, []string{"40|1640|0.0164|EUR"}, cost, "in all three runs together")
	}
	code, _, errs := program("label", "--db", voteFile(t, 1), "--base-url", s.URL, "--model", "m", "--budget-cost", "1")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "needs the critic's prices")
}

func TestCriticsOfAFileOnTheCommandLine(t *testing.T) {
	s := shapingtest.NewServer(t, sayYes)
	path := voteFile(t, 3)
	file := filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(file, []byte("[critics.small]\nkind = \"openai\"\nbase_url = \""+s.URL+"\"\nmodel = \"m\"\nviewpoint = \"plain\"\nask = \"pair\"\n[critics.liar]\nkind = \"oracle\"\nerror_rate = 0.5\n"), 0o600))
	t.Setenv("MARLPIT_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("MARLPIT_MODEL", "other")
	base := []string{"label", "--db", path, "--critics", file, "--critic"}
	var l labelled
	programJSON(t, &l, append(base, "small")...)
	assert.Equal(t, "openai name=small model=m ask=pair prompts=pair-v1 viewpoint=plain", l.Annotator)
	assert.Equal(t, 6, l.Asked)
	programJSON(t, &l, append(base, "small", "--viewpoint", "guided", "--ask", "fr")...)
	assert.Equal(t, "openai name=small model=m ask=fr threshold=0.1 samples=5 prompts=fr-v1 viewpoint=guided", l.Annotator)
	programJSON(t, &l, append(base, "liar")...)
	assert.Equal(t, "oracle error_rate=0.5 noise=iid seed=0 viewpoint=guided", l.Annotator)
	programJSON(t, &l, append(base, "rule")...)
	assert.Contains(t, l.Annotator, "rule")

	code, _, errs := program(append(base, "big")...)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "liar, small")
	code, _, errs = program("label", "--db", path, "--critics", file+".none", "--critic", "small")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, file+".none")
}

func TestLabelTellsWhatIsGoingOn(t *testing.T) {
	path := voteFile(t, 2)
	s := shapingtest.NewServer(t, sayYes)
	s.Inject(shapingtest.RateLimited)
	code, out, errs := child2(t, "label", "--db", path, "--base-url", s.URL, "--model", "o3-mini", "--samples", "1")
	require.Zero(t, code, errs)
	assert.Contains(t, errs, "the endpoint asks to wait: nothing is sent for 1")
	assert.Contains(t, out, "note       models named like o3-mini take no log-probabilities")
	assert.Contains(t, out, "note       F-R is estimated from 1 sampled answers each way")
	assert.Contains(t, query(t, path, `SELECT value FROM meta WHERE key LIKE 'notes: openai model=o3-mini%'`)[0], "F-R is estimated", "and the file keeps it")

	code, out, _ = program("label", "--db", voteFile(t, 2), "--base-url", s.URL, "--model", "m", "--dry-run", "--price-in", "100")
	require.Zero(t, code)
	assert.Contains(t, out, "requests   4, ")
	assert.Contains(t, out, "tokens are estimated: one for every four bytes")

	t.Setenv("MARLPIT_TEST_NO_KEY", "")
	asks := []string{"label", "--db", path, "--base-url", s.URL, "--model", "m", "--key-env", "MARLPIT_TEST_NO_KEY"}
	for _, flag := range []string{"--dry-run", "--show-prompt"} {
		code, _, errs = program(append(asks, flag)...)
		assert.Zero(t, code, "asks nobody, needs no key: %s", errs)
	}
	code, _, errs = program(asks...)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "MARLPIT_TEST_NO_KEY is not set")
}

// child2 runs the program in a process of its own, with its two outputs apart.
func child2(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the code says it
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestProgressLines(t *testing.T) {
	p := newProgress(&bytes.Buffer{})
	r := votes.Report{Wanted: 400, Before: 100, Asked: 50, Invalid: 2, Failed: 1}
	p.spent = func() string { return "90 requests, 3700 tokens" }
	assert.Equal(t, "150/400 votes, 5.0/s, 50s left, spent 90 requests, 3700 tokens, 2 invalid, 1 failed\n", p.line(r, 10*time.Second))
	p.terminal = true
	assert.Equal(t, "\r\x1b[K[#########...............] 150/400 votes, 5.0/s, 50s left, spent 90 requests, 3700 tokens, 2 invalid, 1 failed", p.line(r, 10*time.Second))
	p.spent = nil
	assert.Equal(t, "\r\x1b[K[........................] 0/4 votes", p.line(votes.Report{Wanted: 4}, time.Second), "no rate, no time")
}

// What waits for its turn is not sent after Ctrl-C; a second process of the
// same annotator is refused meanwhile.
func TestCtrlCAndASecondLabeller(t *testing.T) {
	path := voteFile(t, 20)
	s := shapingtest.NewServer(t, sayYes)
	args := []string{"label", "--db", path, "--base-url", s.URL, "--model", "m"}
	cmd, out := child(t, append(args, "--rpm", "2")...)
	waitFor(t, s, 1)
	code, _, errs := program(args...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, fmt.Sprintf("this annotator is labelling already: process %d on", cmd.Process.Pid))
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	start := time.Now()
	require.Error(t, cmd.Wait())
	assert.Less(t, time.Since(start), 10*time.Second, "the next turn would be in half a minute")
	assert.Contains(t, out.String(), "stopped: 40 votes remain")
	assert.Contains(t, out.String(), "the rest   is expected to take 39 requests")
	assert.Equal(t, 1, len(s.Requests()))
	var l labelled
	programJSON(t, &l, args...)
	assert.Equal(t, []int{0, 39}, []int{l.Unasked, l.Requests})
}

// Whoever started us is killed: what is under way is kept though nobody reads
// what we say, and nothing else is sent.
func TestLabelEndsWithItsParent(t *testing.T) {
	path := voteFile(t, 20)
	s := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		time.Sleep(500 * time.Millisecond)
		return sayYes(r)
	})
	args := []string{"label", "--db", path, "--base-url", s.URL, "--model", "m", "--concurrency", "2"}
	cmd := command(append(args, "--exit-with-stdin")...)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = write, write
	require.NoError(t, cmd.Start())
	require.NoError(t, write.Close())
	waitFor(t, s, 2)
	require.NoError(t, read.Close())
	require.NoError(t, stdin.Close())
	require.Error(t, cmd.Wait())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "it ended by itself: %s", cmd.ProcessState)
	sent := len(s.Requests())
	assert.LessOrEqual(t, sent, 4)
	assert.Equal(t, []string{fmt.Sprint(sent)}, query(t, path, `SELECT count(*) FROM requests WHERE answered`))
	var l labelled
	programJSON(t, &l, args...)
	assert.Equal(t, []int{0, 40 - sent}, []int{l.Unasked, l.Requests})
}

// A second Ctrl-C breaks off what is under way, and says what that means.
func TestSecondCtrlCBreaksOff(t *testing.T) {
	path := voteFile(t, 3)
	s := shapingtest.NewServer(t, sayYes)
	s.Always(shapingtest.Hang)
	cmd, out := child(t, "label", "--db", path, "--base-url", s.URL, "--model", "m")
	waitFor(t, s, 1)
	for range 2 {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		time.Sleep(200 * time.Millisecond) // two signals at once are one
	}
	require.Error(t, cmd.Wait())
	assert.Contains(t, out.String(), "marlpit: broken off: 6 votes remain; the same call goes on, and asks again what was under way")
	assert.NotContains(t, out.String(), "context canceled")
}

func TestNothingToLabel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	code, out, errs := program("label", "--db", path, "--critic", "coin")
	assert.Equal(t, 2, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, path+" has no transitions yet; `marlpit collect` adds them")
}
