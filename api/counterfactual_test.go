package api_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
)

func TestCounterfactualSessions(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", fields{
		"reward": fields{"scheme": "difference", "default_action": fields{"mover": "press", "talker_0": []string{"say here", "loud"}}, "step_cost": 0},
		"seed":   1, "num_envs": 2, "arrays": []string{"rewards", "team", "info"},
	})
	got := s.reply.body["reward"].(map[string]any)
	assert.Equal(t, "work", got["value"])
	assert.Equal(t, "default", got["baseline"])
	assert.Equal(t, map[string]any{"mover_0": []any{"stay", "press"}, "talker_0": []any{"say here", "loud", "still"}}, got["default_action"])
	assert.EqualValues(t, 3, got["world_steps"])
	assert.Contains(t, got, "work_cap")
	assert.NotContains(t, got, "horizon")

	// Saying nothing where the default is a word: the word was worth one move.
	s.reset()
	r := s.step(ints(make([]int32, 12)...))
	assert.Equal(t, []float32{0, -1, 0, -1}, r.floats("rewards"))

	again := h.create(t, "test-uneven-v0", fields{"reward": optionsOf(got), "seed": 1, "num_envs": 2})
	assert.Equal(t, got, again.reply.body["reward"], "what was resolved can be asked for")

	random := h.create(t, "test-uneven-v0", fields{"reward": fields{"scheme": "shapley", "value": "return", "horizon": 6, "rollouts": 3}, "seed": 1, "autoreset": "same_step"})
	random.reset()
	random.step(ints(make([]int32, 6)...))
	f := h.post(t, random.path("/fork"), nil)
	twin := &session{h: h, t: t, id: f.body["id"].(string)}
	for k := range int32(40) {
		a := ints(k%3, k%2, 0, k%4, k%2, k%3)
		x, y := random.step(a), twin.step(a)
		require.Equal(t, x.floats("rewards"), y.floats("rewards"))
	}
}

// optionsOf drops what Build found out from the options of a reward.
func optionsOf(resolved map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range resolved {
		if k != "world_steps" && k != "work_cap" {
			out[k] = v
		}
	}
	return out
}

func TestCounterfactualRefusals(t *testing.T) {
	h := serve(t, api.Config{})
	for says, body := range map[string]fields{
		"has no solver":        {"env": "test-count-v0", "reward": "difference"},
		"can't be copied":      {"env": "test-panic-v0", "reward": fields{"scheme": "shapley", "value": "team"}},
		"value is one of work": {"env": "test-uneven-v0", "reward": fields{"scheme": "shapley", "value": "best"}},
		"(64 copies, 400000 each), the limit is 1000000: lower num_envs to 2 or horizon (1000) or rollouts (100)": {
			"env": "test-uneven-v0", "num_envs": 64, "reward": fields{"scheme": "shapley", "value": "return", "horizon": 1000, "rollouts": 100}},
	} {
		r := h.post(t, "/v1/sessions", body)
		assert.Equal(t, 422, r.status, says)
		assert.Equal(t, "/reward", r.body["at"])
		assert.Contains(t, r.text(), says)
	}
}
