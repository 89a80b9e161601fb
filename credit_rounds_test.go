package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/process"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

var testWorlds = envs.NewRegistry(worlds.Entries()...)

// recordRounds writes rounds of the test world, with wrong actions by rule.
func recordRounds(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rounds.jsonl")
	c := roundsCmd{Env: "test-rounds-v0", Rounds: n, Sample: sampleFlags{"mixed"}, Wrong: "rule", Out: path, JSON: true}
	c.World.Param = map[string]string{"agents": "3", "length": "4"}
	var out bytes.Buffer
	require.NoError(t, c.run(context.Background(), nil, testWorlds, &out))
	var got recordedRounds
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, n, got.Rounds)
	assert.Equal(t, n, got.Adversarial)
	return path
}

// knows answers as the solution would, from the goal and the history that it is shown.
func knows(r shapingtest.Request) shapingtest.Verdict {
	_, shown, _ := strings.Cut(r.User(), "<round>\n")
	shown, _, _ = strings.Cut(shown, "\n</round>")
	var round process.Round
	if err := json.Unmarshal([]byte(shown), &round); err != nil {
		panic(err)
	}
	goal := strings.Split(strings.TrimSuffix(strings.TrimPrefix(round.Goal, "Press "), "."), ", then ")
	done := 0
	for _, h := range round.History {
		if done < len(goal) && h == "click "+goal[done] {
			done++
		}
	}
	out := map[string]any{}
	for _, p := range round.Proposals {
		score := 0.1
		if done < len(goal) && p.Words == "click "+goal[done] {
			score = 0.9
		}
		out[p.Agent] = map[string]any{"reason": "it says " + p.Words, "score": score}
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return shapingtest.Verdict{Text: string(b)}
}

func TestRoundsAreScoredJudgedServedAndExported(t *testing.T) {
	rounds, dir := recordRounds(t, 60), t.TempDir()
	db := filepath.Join(dir, "s.db")
	endpoint := shapingtest.NewServer(t, knows)
	ask := []string{"score", "--rounds", rounds, "--db", db, "--critic", "openai", "--base-url", endpoint.URL, "--model", "m"}
	var got scoredRounds
	programJSON(t, &got, ask...)
	assert.Equal(t, 60, got.Valid)
	assert.Equal(t, 60, got.spent.Requests)
	programJSON(t, &got, ask...)
	assert.Equal(t, 60, got.Before, "what was paid for isn't asked again")
	assert.Len(t, endpoint.Requests(), 60)

	code, out, errs := program("judge", "--rounds", rounds, "--critic", "openai", "--base-url", endpoint.URL, "--model", "m", "--critic", "solution:error_rate=0.2", "--db", db)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "openai model=m prompts=round-v1: usable")
	assert.Contains(t, out, "template press-4")
	assert.Len(t, endpoint.Requests(), 60)
	var judged judgedRounds
	programJSON(t, &judged, "judge", "--rounds", rounds, "--critic", "openai", "--base-url", endpoint.URL, "--model", "m", "--db", db)
	assert.Equal(t, 1.0, judged.Scores[0].Accuracy)
	assert.Equal(t, "openai model=m prompts=round-v1", judged.Critic)
	programJSON(t, &judged, "judge", "--rounds", rounds, "--critic", "solution:error_rate=0.2")
	assert.InDelta(t, 0.8, judged.Scores[0].Accuracy, 0.12)

	tables, err := loadScores([]string{db + "=openai"})
	require.NoError(t, err)
	assert.Equal(t, 60, tables["s"].Len())
	_, err = loadScores([]string{db})
	require.ErrorIs(t, err, errUsage)
	assert.ErrorContains(t, err, "solution error_rate=0.2")

	set := filepath.Join(dir, "pairs")
	var exported exported
	programJSON(t, &exported, "export", "dpo", "--db", db, "--critic", "openai", "--out", set, "--test-share", "0.3")
	assert.Greater(t, exported.Pairs, 60)
	assert.Zero(t, exported.ChosenWrong+exported.RejectedGood)
	assert.Equal(t, exported.Pairs, exported.Checked)
	lines := 0
	for _, name := range []string{trlTrain, trlTest} {
		b, err := os.ReadFile(filepath.Join(set, name))
		require.NoError(t, err)
		for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			require.True(t, json.Valid([]byte(line)))
			lines++
		}
	}
	assert.Equal(t, exported.Pairs, lines)
	card, err := os.ReadFile(filepath.Join(set, "README.md"))
	require.NoError(t, err)
	assert.Contains(t, string(card), fmt.Sprintf("%d pairs of actions", exported.Pairs))
	assert.Contains(t, string(card), "path: trl/train.jsonl")
	info, err := os.ReadFile(filepath.Join(set, factoryInfo))
	require.NoError(t, err)
	assert.Contains(t, string(info), `"ranking": true`)

	code, _, errs = program("export", "dpo", "--db", db, "--out", set)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "which critic")
	_, text, _ := program("export", "dpo", "--db", db, "--critic", "openai", "--out", set, "--test-share", "0.000001")
	assert.Contains(t, text, "warning: there are no pairs for testing")
	code, _, errs = program("export", "dpo", "--db", db, "--critic", "openai", "--chosen", "0.95", "--out", set)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "there are no pairs")
}

func TestJudgeInAWorldOfRounds(t *testing.T) {
	var out bytes.Buffer
	c := judgeCmd{Env: "test-rounds-v0", Critic: []string{"random"}, Transitions: 80, Queries: 1, Concurrency: 2, JSON: true}
	require.NoError(t, c.run(context.Background(), nil, testWorlds, &out, &bytes.Buffer{}))
	var got judgedRounds
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, study.Blind, got.Verdict)
	assert.Equal(t, "test-rounds-v0", got.Env)
	assert.Equal(t, "80 rounds of seed 1, mixed proposals", got.Source)

	c.Critic = []string{"oracle"}
	require.ErrorContains(t, c.run(context.Background(), nil, testWorlds, &out, &bytes.Buffer{}), "oracle judges no rounds")
	c = judgeCmd{Env: "test-uneven-v0", Critic: []string{"solution"}, Transitions: 5, Queries: 1, Concurrency: 1}
	require.ErrorContains(t, c.run(context.Background(), nil, testWorlds, &out, &bytes.Buffer{}), "judges rounds of talk, not transitions")
	c.BothOrders = true
	require.ErrorIs(t, c.run(context.Background(), nil, testWorlds, &out, &bytes.Buffer{}), errUsage)
}

func TestWrongActionsByAModel(t *testing.T) {
	var n atomic.Int64
	endpoint := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict {
		return shapingtest.Verdict{Text: fmt.Sprintf(`{"action": {"action_type": "click", "index": %d}, "reason": "it is bright"}`, n.Add(1)%4)}
	})
	dir := t.TempDir()
	c := roundsCmd{Env: "test-rounds-v0", Rounds: 40, Sample: sampleFlags{"random"}, Wrong: "model", Out: filepath.Join(dir, "r.jsonl"), DB: filepath.Join(dir, "s.db"), Critic: "openai", JSON: true}
	c.BaseURL, c.Model = endpoint.URL, "m"
	var out bytes.Buffer
	require.NoError(t, c.run(context.Background(), nil, testWorlds, &out))
	var got recordedRounds
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, 10, got.Unplayable)
	assert.Equal(t, 30, got.Adversarial)
	assert.Greater(t, got.TurnedRight, 0)
	assert.Equal(t, 40, got.spent.Requests)
	assert.Equal(t, "openai model=m prompts=wrong-v1", got.By)
	out.Reset()
	require.NoError(t, c.run(context.Background(), nil, testWorlds, &out))
	assert.Len(t, endpoint.Requests(), 40, "what was paid for is in the file")
}

func TestStepsFromElsewhereAreScored(t *testing.T) {
	var got scoredRounds
	programJSON(t, &got, "score", "--rounds", "shaping/process/testdata/steps.jsonl", "--db", filepath.Join(t.TempDir(), "s.db"), "--critic", "solution")
	assert.Equal(t, 20, got.Valid)
	code, out, errs := program("score", "--rounds", "shaping/process/testdata/steps.jsonl", "--db", filepath.Join(t.TempDir(), "s.db"), "--critic", "openai", "--base-url", "http://127.0.0.1:1", "--model", "m", "--show-prompt")
	require.Zero(t, code, errs)
	assert.Contains(t, out, `"goal":"Find a boat from Alder Quay to Mill Bend on 14 May."`)
}

func TestWrongCallsAboutRounds(t *testing.T) {
	rounds, db := recordRounds(t, 3), filepath.Join(t.TempDir(), "s.db")
	for want, args := range map[string][]string{
		"--critic is needed: openai, random, solution": {"score", "--rounds", rounds, "--db", db},
		"judges no rounds":                                     {"score", "--rounds", rounds, "--db", db, "--critic", "oracle"},
		"the error rate is a number from 0 to 1":               {"score", "--rounds", rounds, "--db", db, "--critic", "solution", "--error-rate", "2"},
		"no such file":                                         {"score", "--rounds", rounds + "x", "--db", db, "--critic", "random"},
		"there is no " + rounds + ".db; `marlpit score` makes": {"export", "dpo", "--db", rounds + ".db", "--out", "x"},
		"two-switch-v1 is played step by step":                 {"rounds", "--env", "two-switch-v1", "--out", db},
		"--critic and --db mean something with --wrong mo":     {"rounds", "--env", "two-switch-v1", "--out", db, "--critic", "openai"},
		"--wrong model needs a --db":                           {"rounds", "--env", "two-switch-v1", "--out", db, "--wrong", "model"},
		"--rounds are recorded":                                {"judge", "--rounds", rounds, "--critic", "random", "--seed", "3"},
		"name a --critic of rounds":                            {"judge", "--rounds", rounds},
	} {
		code, _, errs := program(args...)
		assert.Equal(t, 2, code, "%v", args)
		assert.Contains(t, errs, want)
	}
	code, _, errs := program("score", "--rounds", rounds, "--db", db, "--critic", "openai", "--base-url", "http://127.0.0.1:1", "--model", "m", "--retries", "0")
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "no answer was had")
}
