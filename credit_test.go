package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// program runs the command line in this process.
func program(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// programJSON runs it with --json; it has to succeed.
func programJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	code, out, errs := program(append(args, "--json")...)
	require.Zero(t, code, errs)
	require.NoError(t, json.Unmarshal([]byte(out), into), out)
}

// voteFile is a file of n transitions of two agents, made by hand: agent 0
// moves from cell to cell, agent 1 stands.
func voteFile(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "votes.db")
	db, err := votes.Create(context.Background(), path)
	require.NoError(t, err)
	ts := make([]votes.Transition, n)
	for i := range ts {
		forward := float32(i%2)*2 - 1
		words := [2]string{fmt.Sprintf("t%d forward", i), fmt.Sprintf("t%d backward", i)}
		ts[i] = votes.Transition{StateA: []float32{float32(i), 0}, StateB: []float32{float32(i) + forward, 1}, Actions: []int32{1, 0},
			SnapshotA: []byte{1}, SnapshotB: []byte{2}, Agents: []votes.Agent{
				{Index: 0, Truth: float64(forward), Guided: words, Plain: words},
				{Index: 1, Truth: 0, Guided: words, Plain: words}}}
	}
	w := votes.World{Env: "line-v1", Params: map[string]any{}, Agents: []string{"a_0", "a_1"}, ObsVersion: 1, StateSize: 2}
	_, err = db.Add(context.Background(), w, votes.Collection{Seed: 1, Policy: "random", Frames: 640, Kept: n}, ts)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

func sayYes(shapingtest.Request) shapingtest.Verdict { return shapingtest.Yes(0.7) }

func TestCollectCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "votes.db")
	var out bytes.Buffer
	c := collectCmd{Env: "test-uneven-v0", Transitions: 25, Copies: 4, Steps: 50, DB: path, JSON: true}
	require.NoError(t, c.run(context.Background(), envs.NewRegistry(worlds.Entries()...), &out))
	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, "test-uneven-v0", got["env"])
	assert.EqualValues(t, 200, got["frames"])
	assert.Len(t, got["content_hash"], 64)

	c.World.Param = map[string]string{"nonsense": "1"}
	err := c.run(context.Background(), envs.NewRegistry(worlds.Entries()...), &out)
	require.ErrorIs(t, err, errUsage)
	require.ErrorIs(t, err, envs.ErrParams)
	code, _, errs := program("collect", "--env", "no-such-world", "--db", path)
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "no-such-world")
}

func TestAWrongCallNamesItsCommandsHelp(t *testing.T) {
	for says, args := range map[string]string{
		"`marlpit fit --help` tells": "fit --db x", "`marlpit report --help` tells": "report --worst x", "`marlpit --help` tells": "nonsense",
	} {
		code, _, errs := program(strings.Fields(args)...)
		assert.Equal(t, 2, code)
		assert.Contains(t, errs, says)
	}
}

func TestWrongCallsOfCreditCommands(t *testing.T) {
	path := voteFile(t, 4)
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("no model, and no database either; just text"), 0o600))
	t.Setenv("MARLPIT_BASE_URL", "")
	t.Setenv("MARLPIT_MODEL", "")
	for _, c := range []struct {
		code int
		says string
		args string
	}{
		{2, "--critic is needed", "label --db " + path},
		{2, "critic", "label --critic human --db " + path},
		{2, "marlpit collect", "label --critic coin --db " + path + ".none"},
		{2, "no database", "label --critic coin --db " + text},
		{2, "error rate", "label --critic oracle --error-rate 1.5 --db " + path},
		{2, "--base-url (base_url) is needed, such as http://127.0.0.1:8080/v1; got none", "label --critic openai --model m --db " + path},
		{2, `such as http://127.0.0.1:8080/v1; got "htp://x"`, "label --dry-run --critic openai --model m --base-url htp://x --db " + path},
		{2, "--model (model) is needed", "label --critic openai --base-url http://127.0.0.1:1 --db " + path},
		{2, "--queries is 1 to 1000", "label --critic coin --queries 0 --db " + path},
		{2, "--queries is 1 to 1000", "label --critic coin --queries 99999999999 --db " + path},
		{2, "--concurrency 1 to 1024", "label --critic coin --concurrency 100000000 --db " + path},
		{2, "nobody has voted", "fit --out m.credit --db " + path},
		{2, "no view of its own", "fit --shared --input focus --out m.credit --db " + path},
		{2, "--critic, or a fitted", "judge --db " + path},
		{2, "name an --env", "judge --critic coin"},
		{2, "exclude", "judge --critic coin --env x --db " + path},
		{1, "bad model file", "judge --model " + text + " --db " + path},
	} {
		code, _, errs := program(strings.Fields(c.args)...)
		assert.Equal(t, c.code, code, "%s: %s", c.args, errs)
		assert.Contains(t, strings.ReplaceAll(errs, "not a database", "no database"), c.says, c.args)
	}
}

func TestLabelFitJudge(t *testing.T) {
	path := voteFile(t, 80)
	var l labelled
	programJSON(t, &l, "label", "--db", path, "--critic", "oracle", "--queries", "2")
	assert.Equal(t, 320, l.Asked)
	assert.Equal(t, 160, l.Tie, "agent 1 does nothing")

	model := filepath.Join(t.TempDir(), "line.credit")
	var f map[string]any
	programJSON(t, &f, "fit", "--db", path, "--out", model)
	assert.Equal(t, false, f["replaced"])
	nets := f["nets"].([]any)
	require.Len(t, nets, 2)
	assert.Contains(t, nets[0], "held_out")
	assert.EqualValues(t, 640, f["frames"])
	code, out, errs := program("fit", "--db", path, "--out", model)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "held-out votes")
	assert.Contains(t, out, "a model is flat", "agent 1's votes say nothing")
	assert.Contains(t, out, "calibration error")
	assert.Contains(t, out, "\nreplaced "+model+"\n")
	for says, args := range map[string][]string{
		"--ensemble is 1 to 32, got 0":       {"--ensemble", "0"},
		"two kinds of models":                {"--shared", "--shared-labels"},
		"--input is auto or focus":           {"--shared-labels", "--input", "state"},
		"must be one of \"equal\",\"votes\"": {"--weigh", "odd"},
	} {
		code, _, errs := program(append([]string{"fit", "--db", path, "--out", model}, args...)...)
		assert.Equal(t, 2, code, says)
		assert.Contains(t, errs, says)
	}
	nowhere := filepath.Join(t.TempDir(), "nodir")
	code, _, errs = program("fit", "--db", path, "--out", filepath.Join(nowhere, "x.credit"))
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, "there is no folder "+nowhere+"\n")
	var one fitted
	programJSON(t, &one, "fit", "--db", path, "--out", model, "--ensemble", "1", "--weigh", "votes")
	assert.Equal(t, 1, one.Members)
	assert.EqualValues(t, "votes", one.Weighing)
	assert.Equal(t, "a_0", one.Asked[0].Agent)

	var j judged
	programJSON(t, &j, "judge", "--db", path, "--model", model)
	assert.Equal(t, 160, j.Scores[0].Questions)
	programJSON(t, &j, "judge", "--db", path, "--critic", "oracle", "--error-rate", "1")
	assert.Equal(t, "reversed", string(j.Verdict))
	programJSON(t, &j, "judge", "--db", path, "--critic", "first")
	assert.Equal(t, "blind", string(j.Verdict))
	assert.Equal(t, 1.0, j.Scores[0].FlipRate())
	code, out, _ = program("judge", "--db", path, "--critic", "oracle")
	assert.Zero(t, code)
	assert.Contains(t, out, "usable")
}

func TestLabelByEndpointOnTheCommandLine(t *testing.T) {
	path := voteFile(t, 5)
	s := shapingtest.NewServer(t, sayYes)
	t.Setenv("MARLPIT_API_KEY", "sk-secret-key")
	t.Setenv("MARLPIT_BASE_URL", s.URL)
	t.Setenv("MARLPIT_MODEL", "m")
	base := []string{"label", "--db", path, "--critic", "openai"}

	code, out, _ := program(append(base, "--show-prompt", "--viewpoint", "plain")...)
	assert.Zero(t, code)
	assert.Contains(t, out, "t0 forward\n\nDid this change help")
	var p planned
	programJSON(t, &p, append(base, "--dry-run", "--ask", "fr")...)
	assert.Equal(t, []int{10, 10, 0}, []int{p.Wanted, p.Unasked, p.Before})
	assert.Equal(t, []int{10, 0}, []int{p.Requests, p.Stored}, "both agents are told the same: five texts, two ways")
	assert.Equal(t, 10*4, p.CompletionTokens)
	assert.InDelta(t, 10*60, p.PromptTokens, 100)
	assert.Contains(t, p.How, "up to 100 requests")
	require.Empty(t, s.Requests(), "neither calls anybody")

	var l labelled
	programJSON(t, &l, append(base, "--budget-requests", "5")...)
	assert.Equal(t, []int{5, 10}, []int{l.Requests, l.Asked + l.Unasked})
	assert.Contains(t, l.Stopped, "budget")
	programJSON(t, &l, base...)
	assert.Zero(t, l.Unasked)
	require.Equal(t, 10, len(s.Requests()))
	programJSON(t, &l, append(base, "--offline", "--threshold", "0")...)
	assert.Equal(t, []int{10, 0}, []int{l.Asked, l.Requests})
	require.Equal(t, 10, len(s.Requests()))

	s.Always(shapingtest.Unauthorized)
	code, out, errs := program(append(base, "--ask", "pair")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "401")
	assert.NotContains(t, out+errs, "secret")
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(file), "secret")
}

// TestMarlpitChild is no test: it is the program, in a process of its own.
func TestMarlpitChild(t *testing.T) {
	args := os.Getenv("MARLPIT_TEST_CHILD")
	if args == "" {
		t.Skip("run by other tests")
	}
	os.Exit(run(strings.Split(args, "\n"), os.Stdout, os.Stderr))
}

// command is the program in a process of its own.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestMarlpitChild$")
	cmd.Env = append(os.Environ(), "MARLPIT_TEST_CHILD="+strings.Join(args, "\n"))
	return cmd
}

func child(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := command(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	return cmd, &out
}

func waitFor(t *testing.T, s *shapingtest.Server, requests int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(s.Requests()) >= requests }, 30*time.Second, time.Millisecond)
}

func TestLabelSurvivesKillNineAndCtrlC(t *testing.T) {
	path := voteFile(t, 200) // 200 × 2 directions = 400 requests: both agents are told the same
	s := shapingtest.NewServer(t, func(r shapingtest.Request) shapingtest.Verdict {
		time.Sleep(2 * time.Millisecond)
		return sayYes(r)
	})
	const workers, kills = 4, 3
	args := []string{"label", "--db", path, "--critic", "openai", "--base-url", s.URL, "--model", "m", "--concurrency", fmt.Sprint(workers)}
	for range kills {
		cmd, _ := child(t, args...)
		waitFor(t, s, len(s.Requests())+40)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
	}
	before := len(s.Requests())
	cmd, out := child(t, args...)
	waitFor(t, s, before+20)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Contains(t, out.String(), "votes remain")

	var l labelled
	programJSON(t, &l, args[:len(args)-2]...)
	assert.Zero(t, l.Unasked)
	assert.Equal(t, 400, l.Before+l.Asked)
	total := len(s.Requests())
	assert.GreaterOrEqual(t, total, 400)
	assert.LessOrEqual(t, total, 400+kills*workers, "asked twice is only what was under way at a kill; Ctrl-C wastes nothing")
}

// What costs nothing and is done at once or not at all ends with its parent,
// and leaves nothing behind.
func TestCollectAndFitEndWithTheirParent(t *testing.T) {
	db, out := voteFile(t, 1000), filepath.Join(t.TempDir(), "out")
	code, _, errs := program("label", "--db", db, "--critic", "oracle")
	require.Zero(t, code, errs)
	for _, args := range [][]string{
		{"collect", "--env", "two-switch-v1", "--steps", "100000000", "--transitions", "1000000", "--db", out},
		{"fit", "--db", db, "--ensemble", "32", "--out", out},
	} {
		cmd := command(append(args, "--exit-with-stdin")...)
		stdin, err := cmd.StdinPipe()
		require.NoError(t, err)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		require.NoError(t, cmd.Start())
		require.NoError(t, stdin.Close())
		require.Error(t, cmd.Wait(), "%s", args[0])
		assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "it ended by itself: %s", cmd.ProcessState)
		assert.Equal(t, "marlpit: interrupted\n", said.String())
		assert.NoFileExists(t, out)
	}
}
