package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study/bank"
)

func TestWrongCallsOfJudge(t *testing.T) {
	t.Setenv("MARLPIT_BASE_URL", "")
	for _, c := range []struct{ says, args string }{
		{"leave --env and --shared out", "judge --bench v1 --env two-switch-v1 --critic rule"},
		{"--bench asks in words", "judge --bench v1 --model m.credit"},
		{"one critic on --bench", "judge --env two-switch-v1 --critic rule --out r.json"},
		{"one critic on --bench", "judge --bench v1 --critic rule --critic coin --out r.json"},
		{"--precision is a share", "judge --env two-switch-v1 --critic rule --precision 1.5"},
		{`model means nothing to the kind "oracle"`, "judge --env two-switch-v1 --critic oracle:model=x"},
		{"error rate", "judge --env two-switch-v1 --critic oracle:error_rate=7"},
		{"--critic nobody is none of", "judge --env two-switch-v1 --critic nobody"},
		{"--bench must be one of", "judge --bench v9 --critic rule"},
		{"needs a file of its own", "judge --bench v1 --critic rule --db " + voteFile(t, 4)},
	} {
		code, _, errs := program(strings.Fields(c.args)...)
		assert.Equal(t, 2, code, "%s: %s", c.args, errs)
		assert.Contains(t, errs, c.says, c.args)
	}
}

func TestJudgeSeveralCriticsSideBySide(t *testing.T) {
	path := voteFile(t, 80)
	var got struct{ Critics []judged }
	programJSON(t, &got, "judge", "--db", path, "--critic", "oracle", "--critic", "oracle:error_rate=1,noise=per-text", "--critic", "coin:noise_seed=3", "--critic", "rule")
	require.Len(t, got.Critics, 4)
	var names, verdicts []string
	for _, j := range got.Critics {
		names, verdicts = append(names, j.Judged), append(verdicts, string(j.Verdict))
		assert.Equal(t, "line-v1", j.Env)
		assert.Equal(t, path, j.Bench)
	}
	assert.Equal(t, []string{"oracle error_rate=0 noise=iid seed=0 viewpoint=guided", "oracle error_rate=1 noise=per-text seed=0 viewpoint=guided",
		"coin seed=3 viewpoint=guided", "rule version=1 viewpoint=guided"}, names)
	assert.Equal(t, []string{"usable", "reversed"}, verdicts[:2])
	assert.Equal(t, got.Critics[3].Scores[0].Questions, got.Critics[3].Scores[0].Invalid, "these words are nothing to compare")

	code, out, errs := program("judge", "--db", path, "--critic", "oracle", "--critic", "coin:noise_seed=3")
	require.Zero(t, code, errs)
	assert.Equal(t, 3, strings.Count(out, "coin seed=3")+strings.Count(out, "oracle error_rate=0 ")-1, "each by itself, and side by side")
}

func TestJudgeFilesOfCritics(t *testing.T) {
	path, critics := voteFile(t, 60), filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(critics, []byte("[critics.rough]\nkind = \"oracle\"\nerror_rate = 0.4\nviewpoint = \"plain\"\n"), 0o600))
	var j judged
	programJSON(t, &j, "judge", "--db", path, "--critics", critics, "--critic", "rough:noise_seed=5")
	assert.Equal(t, "oracle error_rate=0.4 noise=iid seed=5 viewpoint=plain", j.Judged)
	assert.Equal(t, "plain", j.Viewpoint)
}

// An endpoint on the bench: interrupted by a budget, gone on with, replayed
// from the file, and written down with the hashes of its prompts.
func TestBenchByEndpoint(t *testing.T) {
	s := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		return shapingtest.Yes(map[bool]float64{true: 0.9, false: 0.6}[strings.Contains(r.User(), "is pressed now")])
	})
	dir := t.TempDir()
	db, out := filepath.Join(dir, "bench.db"), filepath.Join(dir, "m.json")
	args := []string{"judge", "--bench", "v1", "--critic", "openai", "--base-url", s.URL, "--model", "m", "--db", db, "--out", out, "--note", "made up"}
	code, _, errs := program(append(args, "--budget-requests", "80")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "the same call goes on")
	assert.NoFileExists(t, out, "half a bank is no result")
	require.Len(t, s.Requests(), 80)

	var r bank.Result
	programJSON(t, &r, args...)
	assert.Equal(t, []any{"m", "openai", "v1", "made up"}, []any{r.Name, r.Kind, r.Bench, r.Note})
	require.Contains(t, r.Prompts, "fr-v1")
	assert.Equal(t, len(s.Requests()), r.Guided.Requests+r.Plain.Requests, "nothing was asked twice")
	assert.Positive(t, r.Plain.Tokens)
	total := len(s.Requests())

	first, err := os.ReadFile(out)
	require.NoError(t, err)
	var again bank.Result
	programJSON(t, &again, append(args, "--offline")...)
	assert.Len(t, s.Requests(), total)
	require.NoError(t, json.Unmarshal(first, &r))
	again.Guided.Seconds, again.Plain.Seconds, r.Guided.Seconds, r.Plain.Seconds = 0, 0, 0, 0
	assert.Equal(t, r, again)
}
