package api_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// fitted makes a model file for test-count-v0: a higher count is better.
func fitted(t *testing.T, seed uint64) []byte {
	t.Helper()
	entry, err := envs.NewRegistry(worlds.Entries()...).Find("test-count-v0")
	require.NoError(t, err)
	world := wrappers.World(mustEnv(t, entry))
	var pairs []prefer.Pair
	for agent := range world.Agents {
		for i := range 40 {
			a := float32(i % 4)
			pairs = append(pairs, prefer.Pair{
				Agent: agent, StateA: []float32{a}, StateB: []float32{a + 1},
				FocusA: []float32{a, 5 - a}, FocusB: []float32{a + 1, 4 - a}, C: 0.9,
			})
		}
	}
	m, _, err := prefer.Fit(context.Background(), world, pairs, prefer.Options{Seed: seed, Epochs: 3})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, m.Save(&b))
	return b.Bytes()
}

func TestModelsAreUploadedUsedAndForgotten(t *testing.T) {
	h := serve(t, api.Config{})
	const octets = "application/octet-stream"
	file := fitted(t, 1)
	assert.Equal(t, 204, h.do(t, "PUT", "/v1/credit-models/count", octets, file).status)
	assert.Equal(t, 204, h.do(t, "PUT", "/v1/credit-models/count", octets, file).status, "the same again is no error")
	other := h.do(t, "PUT", "/v1/credit-models/count", octets, fitted(t, 2))
	assert.Equal(t, 409, other.status)
	assert.Equal(t, "exists", other.code())
	assert.Equal(t, file, h.get(t, "/v1/credit-models/count").raw)
	list := h.get(t, "/v1/credit-models").body["models"].([]any)
	require.Len(t, list, 1)
	head := list[0].(map[string]any)
	assert.Equal(t, "count", head["name"])
	assert.Equal(t, "test-count-v0", head["world"].(map[string]any)["env"])

	s := h.create(t, "test-count-v0", fields{"reward": "credit", "arrays": []string{"rewards", "team", "info"}})
	resolved := s.reply.body["reward"].(map[string]any)
	assert.Equal(t, "count", resolved["model"])
	assert.EqualValues(t, 0.1, resolved["scale"])
	s.reset()
	r := s.step(ints(0, 0))
	assert.Equal(t, []float32{0, 0}, r.floats("team"), "the game's own reward stays what it was")
	assert.Greater(t, r.floats("rewards")[0], float32(0), "a step towards the end pays")
	for range 3 {
		s.step(ints(0, 0))
	}
	last := s.step(ints(0, 0))
	assert.Equal(t, []float32{1, 1}, last.floats("team"))
	assert.Greater(t, last.floats("rewards")[0], float32(0.9), "the bonus")

	assert.Equal(t, 204, h.do(t, "DELETE", "/v1/credit-models/count", "", nil).status)
	assert.Equal(t, 404, h.get(t, "/v1/credit-models/count").status)
	s.reset()
	assert.Greater(t, s.step(ints(0, 0)).floats("rewards")[0], float32(0), "a session keeps its model")
	assert.Equal(t, 422, h.post(t, "/v1/sessions", fields{"env": "test-count-v0", "reward": "credit"}).status)
}

func TestCreditSurvivesSnapshotForkAndAutoreset(t *testing.T) {
	h := serve(t, api.Config{})
	require.Equal(t, 204, h.do(t, "PUT", "/v1/credit-models/count", "application/octet-stream", fitted(t, 1)).status)
	s := h.create(t, "test-count-v0", fields{"reward": "credit", "autoreset": "same_step", "num_envs": 2})
	s.reset()
	s.step(ints(0, 0, 0, 0))
	f := h.post(t, s.path("/fork"), nil)
	twin := &session{h: h, t: t, id: f.body["id"].(string)}
	for range 14 {
		a, b := s.step(ints(0, 0, 0, 0)), twin.step(ints(0, 0, 0, 0))
		require.Equal(t, a.floats("rewards"), b.floats("rewards"))
		require.Equal(t, a.floats("info"), b.floats("info"))
	}
}

func TestBadModelFiles(t *testing.T) {
	h := serve(t, api.Config{})
	good := fitted(t, 1)
	for name, file := range map[string][]byte{
		"empty": {}, "text": []byte("not a model at all"), "cut": good[:len(good)-1], "longer": append(bytes.Clone(good), 0),
		"header claims 4 GB": append(bytes.Clone(good[:8]), 0xff, 0xff, 0xff, 0xff),
	} {
		r := h.do(t, "PUT", "/v1/credit-models/x", "application/octet-stream", file)
		assert.Equal(t, 422, r.status, name)
	}
	assert.Equal(t, 422, h.do(t, "PUT", "/v1/credit-models/.x", "application/octet-stream", good).status)
	assert.Equal(t, 415, h.do(t, "PUT", "/v1/credit-models/x", js, good).status)
	assert.Empty(t, h.get(t, "/v1/credit-models").body["models"])
	require.Equal(t, 204, h.do(t, "PUT", "/v1/credit-models/x", "application/octet-stream", good).status)
	r := h.post(t, "/v1/sessions", fields{"env": "test-uneven-v0", "reward": fields{"scheme": "credit", "model": "x"}})
	assert.Equal(t, 422, r.status, "a model of another world")
	assert.Contains(t, r.text(), "test-count-v0")
}

func TestEverySchemeThatNeedsNoModel(t *testing.T) {
	h := serve(t, api.Config{})
	for _, scheme := range []string{"team", "none", "expert", "oracle", "difference", "shapley"} {
		s := h.create(t, "test-uneven-v0", fields{"reward": scheme, "num_envs": 2, "seed": 1})
		s.reset()
		r := s.step(ints(make([]int32, 12)...))
		assert.Len(t, r.floats("rewards"), 4, scheme)
		assert.Equal(t, scheme, s.reply.body["reward"].(map[string]any)["scheme"])
	}
}
