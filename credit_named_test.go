package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
)

// Two endpoints serve models of one name, and aren't one critic.
func TestEndpointsWithModelsOfOneName(t *testing.T) {
	a := shapingtest.NewServer(t, sayYes)
	b := shapingtest.NewServer(t, sayYes)
	path, file := voteFile(t, 6), filepath.Join(t.TempDir(), "critics.toml")
	table := func(name, url string) string {
		return "[critics." + name + "]\nkind = \"openai\"\nbase_url = \"" + url + "\"\nmodel = \"fake-1\"\n"
	}
	require.NoError(t, os.WriteFile(file, []byte(table("a", a.URL)+table("b", b.URL)+table("openai", b.URL)), 0o600))
	args := []string{"judge", "--db", path, "--critics", file, "--critic", "a", "--critic", "b", "--precision", "0"}
	var got struct{ Critics []judged }
	programJSON(t, &got, args...)
	require.Len(t, got.Critics, 2)
	assert.Equal(t, []string{"a", "b"}, []string{got.Critics[0].Critic, got.Critics[1].Critic})
	assert.Contains(t, got.Critics[0].Judged, "openai name=a model=fake-1 ")
	assert.Contains(t, got.Critics[1].Judged, "openai name=b model=fake-1 ")
	assert.Equal(t, 12, len(a.Requests()))
	assert.Equal(t, 12, len(b.Requests()), "b isn't given a's replies")

	code, out, errs := program(args...)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "a: openai name=a model=fake-1")
	assert.Contains(t, out, "b: openai name=b model=fake-1")
	assert.Equal(t, 24, len(a.Requests())+len(b.Requests()), "each goes on with its own")

	// A table that is named as the kind is what flags describe.
	var l labelled
	programJSON(t, &l, "label", "--db", path, "--critics", file, "--critic", "openai")
	assert.Contains(t, l.Annotator, "openai model=fake-1 ")
	assert.Equal(t, 12, l.Requests)
	programJSON(t, &l, "label", "--db", path, "--base-url", a.URL, "--model", "fake-1")
	assert.Zero(t, l.Asked, "the same annotator")
}

func TestWhatWouldMeanNothingIsRefused(t *testing.T) {
	path := voteFile(t, 4)
	for says, args := range map[string]string{
		"--transitions, --copies and --steps are at least 1, got 0, 64 and 1000": "collect --env two-switch-v1 --transitions 0 --db " + path + ".new",
		"are at least 1, got 2000, 0 and 1000":                                   "collect --env two-switch-v1 --copies 0 --db " + path + ".new",
		"--param goes with --env alone":                                          "judge --critic oracle -p width=9 --db " + path,
		"--param goes with --env alone: a file and the bench":                    "judge --critic rule -p width=9 --bench v1",
	} {
		code, _, errs := program(strings.Fields(args)...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, errs, says, args)
	}
	assert.NoFileExists(t, path+".new")
}

func TestFitWarnsOfQuestionsWithoutVotes(t *testing.T) {
	path, model := voteFile(t, 80), filepath.Join(t.TempDir(), "m.credit")
	s := shapingtest.NewServer(t, sayYes)
	args := []string{"label", "--db", path, "--base-url", s.URL, "--model", "m", "--concurrency", "1"}
	var l labelled
	programJSON(t, &l, append(args, "--budget-requests", "60")...)
	require.Less(t, l.Asked, 80)
	warning := fmt.Sprintf("%d of 160 questions have votes; `marlpit label` asks the rest", l.Asked)
	var f fitted
	programJSON(t, &f, "fit", "--db", path, "--out", model, "--ensemble", "1")
	assert.Equal(t, warning, f.Warning)
	_, out, _ := program("fit", "--db", path, "--out", model, "--ensemble", "1")
	assert.Contains(t, out, "\nwarning: "+warning+"\n")
	programJSON(t, &l, args...)
	var whole fitted
	programJSON(t, &whole, "fit", "--db", path, "--out", model, "--ensemble", "1")
	assert.Empty(t, whole.Warning)
	assert.Equal(t, 160, whole.Questions)
}

func TestVerdictsOfJudgeOnTooLittle(t *testing.T) {
	var j judged
	programJSON(t, &j, "judge", "--db", voteFile(t, 4), "--critic", "oracle")
	require.Len(t, j.Scores, 3)
	assert.Equal(t, []study.Verdict{study.TooFew, study.Nothing}, []study.Verdict{j.Scores[1].Verdict, j.Scores[2].Verdict}, "agent 1 does nothing")
	code, out, errs := program("judge", "--db", voteFile(t, 4), "--critic", "oracle")
	require.Zero(t, code, errs)
	assert.Regexp(t, `(?m)^ *a_0 .* too few *$`, out)
	assert.Regexp(t, `(?m)^ *a_1 .* – *$`, out)
	assert.NotContains(t, out, "blind")
}

// Two addresses may mean different things by one model's name.
func TestAModelAtAnotherAddressIsWarnedOf(t *testing.T) {
	path := voteFile(t, 4)
	first, second := shapingtest.NewServer(t, sayYes), shapingtest.NewServer(t, sayYes)
	args := func(s *shapingtest.Server, more ...string) []string {
		return append([]string{"label", "--db", path, "--base-url", s.URL, "--model", "m"}, more...)
	}
	says := fmt.Sprintf("model m is asked at %s/v1, and has been asked at %s/v1: replies that are stored count for all of these; "+
		"where they answer differently, give each a name in a file of critics (--critics)", second.URL, first.URL)

	for range 2 {
		assert.NotContains(t, warned(t, args(first)...), "warning")
	}
	assert.Contains(t, warned(t, args(second, "--dry-run")...), "warning: "+says)
	var p planned
	programJSON(t, &p, args(second, "--dry-run")...)
	assert.Contains(t, p.Notes, says)
	var l labelled
	programJSON(t, &l, args(second)...)
	assert.Contains(t, l.Notes, says)
	assert.Empty(t, second.Requests(), "its replies are taken for the other's")
	assert.Equal(t, []string{first.URL + "/v1\n" + second.URL + "/v1"}, query(t, path, `SELECT value FROM meta WHERE key = 'addresses: m'`))
	assert.Contains(t, warned(t, args(first)...), "and has been asked at "+second.URL+"/v1")
	assert.Contains(t, warned(t, "judge", "--db", path, "--critic", "openai", "--base-url", second.URL, "--model", "m"), "warning: "+says)
	for _, quiet := range [][]string{
		args(second, "--offline"), args(second, "--critics", criticsFile(t, second.URL), "--critic", "named"),
		{"label", "--db", path, "--base-url", second.URL, "--model", "other"},
	} {
		assert.NotContains(t, warned(t, quiet...), "warning", quiet)
	}
}

// warned is what a call that succeeds says on the terminal.
func warned(t *testing.T, args ...string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	terminal := os.Stderr
	os.Stderr = f
	code, _, errs := program(args...)
	os.Stderr = terminal
	require.NoError(t, f.Close())
	require.Zero(t, code, errs)
	b, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	return string(b)
}

func criticsFile(t *testing.T, url string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "critics.toml")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "[critics.named]\nkind = \"openai\"\nbase_url = %q\nmodel = \"m\"\n", url), 0o600))
	return path
}
