package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordingFile is a recording of a lane on which agent a walks right and left,
// and b never moves; only a is asked about.
func recordingFile(t *testing.T, env string) string {
	t.Helper()
	lines := []string{fmt.Sprintf(`{"marlpit_transitions":1,"env":%q,"params":{},"agents":["a","b"],"state_size":2,"focus_sizes":[1,1],"frames":5000}`, env)}
	for i := range 120 {
		from, to, truth := i, i+1, 1
		if i%3 == 0 {
			from, to, truth = to, from, -1
		}
		words := func(a, b int) string {
			return fmt.Sprintf("Before: the agent was %d steps from the end. Now: it is %d steps from the end.", 130-a, 130-b)
		}
		agent := func(a, b, truth int) string {
			return fmt.Sprintf(`{"guided":[%q,%q],"plain":[%q,%q],"focus_a":[%d],"focus_b":[%d],"truth":%d}`,
				words(a, b), words(b, a), words(a, b), words(b, a), a, b, truth)
		}
		other := agent(1, 1, 0)
		if i%4 == 0 {
			other = "null"
		}
		lines = append(lines, fmt.Sprintf(`{"a":[%d,1],"b":[%d,1],"terminal":%t,"truth":%d,"agents":[%s,%s]}`,
			from, to, i == 119, truth, agent(from, to, truth), other))
	}
	path := filepath.Join(t.TempDir(), "lane.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

func TestARecordingIsCollectedLabelledFittedAndJudged(t *testing.T) {
	db := filepath.Join(t.TempDir(), "votes.db")
	var got map[string]any
	programJSON(t, &got, "collect", "--from", recordingFile(t, "lane_v0"), "--db", db)
	assert.Equal(t, "lane_v0", got["env"])
	assert.EqualValues(t, 120, got["added"])
	assert.EqualValues(t, 5000, got["frames"])
	assert.Equal(t, "recorded", got["policy"])
	assert.Equal(t, "as recorded", got["solver"])

	for _, critic := range []string{"rule", "oracle"} {
		programJSON(t, &got, "label", "--db", db, "--critic", critic)
		assert.EqualValues(t, 210, got["wanted"], "b isn't asked about in one of four")
		assert.Zero(t, got["invalid"])
	}
	programJSON(t, &got, "label", "--db", db, "--critic", "oracle", "--shared")
	assert.EqualValues(t, 120, got["wanted"])

	var scores judged
	programJSON(t, &scores, "judge", "--db", db, "--critic", "rule")
	assert.Equal(t, 1.0, scores.Scores[0].Accuracy)
	assert.Equal(t, "lane_v0", scores.Env)

	model := filepath.Join(t.TempDir(), "lane.credit")
	programJSON(t, &got, "fit", "--db", db, "--annotator", "rule", "--out", model)
	programJSON(t, &scores, "judge", "--db", db, "--model", model)
	assert.Greater(t, scores.Scores[0].Accuracy, 0.9)
	page := filepath.Join(t.TempDir(), "report.html")
	programJSON(t, &got, "report", db, "--out", page)
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(html), "<dt>credit known by</dt><dd>the recording<")
	assert.Contains(t, string(html), "agreement with it.")
	programJSON(t, &got, "fit", "--db", db, "--annotator", "oracle", "--shared", "--out", model)
	programJSON(t, &got, "fit", "--db", db, "--annotator", "oracle", "--shared-labels", "--out", model)
}

func TestARecordingIsRefused(t *testing.T) {
	db := filepath.Join(t.TempDir(), "votes.db")
	broken := recordingFile(t, "lane_v0")
	raw, err := os.ReadFile(broken)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(raw), `"a":[5,1]`, `"a":[5]`, 1)), 0o600))
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "two-switch-v1 is a world of marlpit's own", []string{"--from", recordingFile(t, "two-switch-v1")}},
		{1, "line 7: a: 1 numbers, want 2", []string{"--from", broken}},
		{2, "no such file", []string{"--from", broken + ".none"}},
		{2, "exclude each other", []string{"--from", broken, "-p", "agents=2"}},
		{2, "--env", []string{"--from", broken, "--env", "two-switch-v1"}},
		{2, "--from", nil},
	} {
		code, _, errs := program(append([]string{"collect", "--db", db}, c.args...)...)
		assert.Equal(t, c.code, code, errs)
		assert.Contains(t, errs, c.says)
		assert.NoFileExists(t, db)
	}

	// A file of another world stays as it is.
	code, _, errs := program("collect", "--from", recordingFile(t, "lane_v0"), "--db", db)
	require.Zero(t, code, errs)
	code, _, errs = program("collect", "--from", recordingFile(t, "lane_v1"), "--db", db)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "file of another world")
	code, out, _ := program("collect", "--from", recordingFile(t, "lane_v0"), "--db", db)
	assert.Zero(t, code)
	assert.Contains(t, out, "0 new to")
	assert.Contains(t, out, "5000 frames of recorded play, 120 transitions in ")
}

// What a terminal would obey is shown as what it is.
func TestShownPromptHoldsNoControlCharacters(t *testing.T) {
	db := filepath.Join(t.TempDir(), "votes.db")
	file := recordingFile(t, "lane_v0")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(raw), "Before:", `\u001b[2JBefore:`, 4)), 0o600))
	var got map[string]any
	programJSON(t, &got, "collect", "--from", file, "--db", db)
	code, out, errs := program("label", "--db", db, "--base-url", "http://127.0.0.1:1", "--model", "m", "--show-prompt")
	require.Zero(t, code, errs)
	assert.Contains(t, out, "\ufffd[2JBefore: the agent")
	assert.NotContains(t, out, "\x1b")
}
