package votes_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/llm"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

const childConcurrency = 3

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("VOTES_TEST_CHILD"); path != "" {
		if err := labelIn(path, os.Getenv("VOTES_TEST_URL")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func labelIn(path, url string) error {
	db, err := votes.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	c, err := llm.New(llm.Config{BaseURL: url, Model: "m", Store: db.Recorder()})
	if err != nil {
		return err
	}
	_, err = db.Label(ctx, c, votes.LabelOptions{Queries: 2, Concurrency: childConcurrency})
	return err
}

func TestKillNineLosesNothingButWhatWasUnderWay(t *testing.T) {
	db := world(t, 120) // 120 × 2 agents × 2 directions = 480 requests; the second query is the same question
	path := db.Path()
	require.NoError(t, db.Close())
	s := shapingtest.NewServer(t, func(shapingtest.Request) shapingtest.Verdict { return shapingtest.Yes(0.7) })
	child := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "VOTES_TEST_CHILD="+path, "VOTES_TEST_URL="+s.URL)
		cmd.Stderr = os.Stderr
		require.NoError(t, cmd.Start())
		return cmd
	}
	const kills = 4
	asked := 0
	for i := range kills {
		cmd := child()
		until := time.Now().Add(20 * time.Second)
		for len(s.Requests()) < asked+30+13*i && time.Now().Before(until) {
			time.Sleep(time.Millisecond)
		}
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // says that it was killed
		asked = len(s.Requests())
	}
	require.NoError(t, child().Wait())

	requests := len(s.Requests())
	assert.GreaterOrEqual(t, requests, 480)
	assert.LessOrEqual(t, requests, 480+kills*childConcurrency, "only what was under way is asked twice")

	db, err := votes.Open(ctx, path)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	name, err := db.Annotator(ctx, "")
	require.NoError(t, err)
	counts, err := db.Counts(ctx, name, false, 0)
	require.NoError(t, err)
	require.Len(t, counts, 240)
	for _, c := range counts {
		require.Equal(t, 2, c.Valid())
	}
}
