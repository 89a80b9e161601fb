package api_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
)

// lines reads a recording.
func lines(t *testing.T, file string) (out []map[string]any) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var v map[string]any
		require.NoError(t, json.Unmarshal(s.Bytes(), &v))
		out = append(out, v)
	}
	return out
}

func TestEpisodesAreRecorded(t *testing.T) {
	for _, mode := range []string{"disabled", "next_step", "same_step"} {
		dir := t.TempDir()
		h := serve(t, api.Config{RecordDir: dir})
		s := h.create(t, "test-count-v0", fields{"num_envs": 2, "seed": 3, "autoreset": mode, "record": "run-1", "params": fields{"length": 2}})
		s.reset()
		s.step(ints(0, 1, 1, 1))
		s.step(ints(1, 0, 0, 0))
		switch mode {
		case "disabled":
			s.step(ints(0, 0, 0, 0)) // nothing moves
			s.reset()
		case "next_step":
			s.step(ints(0, 0, 0, 0)) // resets
		}
		s.step(ints(0, 0, 0, 0))
		s.reset() // breaks off
		got := lines(t, filepath.Join(dir, "run-1.jsonl"))
		require.Len(t, got, 4, mode)
		e := got[0]
		assert.Equal(t, []any{[]any{0.0, 1.0}, []any{1.0, 0.0}}, e["actions"], mode)
		assert.Equal(t, []any{[]any{0.0, 0.0}, []any{1.0, 1.0}}, e["rewards"])
		assert.Equal(t, []any{[]any{0.0, 0.0}, []any{1.0, 1.0}}, e["team"])
		assert.Equal(t, []any{true, true}, e["terminated"])
		assert.Equal(t, []any{false, false}, e["truncated"])
		assert.Equal(t, true, e["success"])
		assert.Equal(t, true, e["complete"])
		assert.EqualValues(t, 2, e["steps"])
		assert.EqualValues(t, 3, e["seed"])
		assert.EqualValues(t, 0, e["episode"])
		assert.Equal(t, "test-count-v0", e["env"])
		assert.EqualValues(t, 2, e["params"].(map[string]any)["length"])
		assert.Equal(t, "team", e["reward"].(map[string]any)["scheme"])
		assert.EqualValues(t, 1, got[1]["row"])
		assert.InDelta(t, float64(envs.EpisodeSeed(3, 1, 0)), got[1]["episode_seed"], 4096)
		assert.EqualValues(t, 1, got[2]["episode"], "the second episode")
		assert.Equal(t, false, got[2]["complete"])
		assert.EqualValues(t, 1, got[2]["steps"])
	}
}

func TestARecordingIsNeverAddedTo(t *testing.T) {
	dir := t.TempDir()
	h := serve(t, api.Config{RecordDir: dir})
	s := h.create(t, "test-count-v0", fields{"record": "a"})
	r := h.post(t, "/v1/sessions", fields{"env": "test-count-v0", "record": "a"})
	assert.Equal(t, 409, r.status)
	assert.Equal(t, "exists", r.code())
	fork := s.reset()
	assert.Equal(t, 200, fork.status)
	f := h.post(t, s.path("/fork"), nil)
	assert.Equal(t, "", f.body["record"], "forks are not recorded")
	snap := h.get(t, s.path("/snapshot"))
	s.seq++
	require.Equal(t, 200, h.do(t, "PUT", s.path("/snapshot"), mp, fields{"seq": s.seq, "snapshots": snap.body["snapshots"]}).status)
	for range 5 {
		s.step(ints(0, 0))
	}
	assert.Empty(t, lines(t, filepath.Join(dir, "a.jsonl")), "an episode without a beginning is not recorded")
}
