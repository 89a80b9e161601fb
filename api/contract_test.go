package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"marlpit/api"
)

// Every exchange of this package's tests is held to openapi.yaml by the
// harness; this test sees to it that each route and encoding occurs.
func TestEveryRouteInBothEncodings(t *testing.T) {
	h := serve(t, api.Config{RecordDir: t.TempDir()})
	for _, kind := range []string{mp, js} {
		do := func(method, path string, body any) reply {
			t.Helper()
			return h.do(t, method, path, kind, body, "Accept", kind)
		}
		ok := func(want int, r reply) reply {
			t.Helper()
			require.Equal(t, want, r.status, "%s", r.raw)
			return r
		}
		assert.Equal(t, "ok", ok(200, do("GET", "/healthz", nil)).body["status"])
		assert.EqualValues(t, 1, do("GET", "/healthz", nil).body["wire"])
		ok(200, do("GET", "/readyz", nil))
		ok(200, do("GET", "/", nil))
		assert.Contains(t, string(ok(200, do("GET", "/metrics", nil)).raw), "marlpit_sessions 0")
		assert.Contains(t, string(ok(200, do("GET", "/openapi.yaml", nil)).raw), "openapi: 3")
		assert.Len(t, ok(200, do("GET", "/v1/envs", nil)).body["envs"], 7)
		assert.Equal(t, "test-uneven-v0", ok(200, do("GET", "/v1/envs/test-uneven-v0", nil)).body["id"])
		ok(404, do("GET", "/v1/envs/none", nil))
		ok(200, do("GET", "/v1/critics", nil))
		ok(200, do("GET", "/v1/credit-models", nil))
		ok(404, do("GET", "/v1/credit-models/none", nil))
		ok(404, do("DELETE", "/v1/credit-models/none", nil))

		for _, env := range []string{"test-uneven-v0", "test-pixels-v0", "test-count-v0"} {
			r := ok(201, do("POST", "/v1/sessions", fields{"env": env, "num_envs": 2, "autoreset": "same_step", "text": env != "test-pixels-v0",
				"arrays": []string{"obs", "mask", "state", "rewards", "team", "info", "terminated", "truncated"}}))
			id, view := r.body["id"].(string), r.body["view"].(string)
			p := "/v1/sessions/" + id
			ok(200, do("GET", p, nil))
			assert.Equal(t, view, ok(200, do("GET", "/v1/sessions/"+view, nil)).body["id"], "the view hides the id")
			ok(200, do("POST", p+"/reset", fields{"seq": 1, "seed": 4, "mask": []int{1, 1}}))
			acts := []any{[]any{[]any{0, 0}, []any{0, 0, 0}}, []any{[]any{0, 0}, []any{0, 0, 0}}}
			switch env {
			case "test-pixels-v0":
				acts = []any{[]any{[]any{0.5, 0}, []any{0, -1}}, []any{[]any{0, 0}, []any{0, 0}}}
			case "test-count-v0":
				acts = []any{[]any{0, 0}, []any{0, 0}}
			}
			for seq := 2; seq < 8; seq++ { // test-count-v0 ends on the way
				ok(200, do("POST", p+"/step", fields{"seq": seq, "actions": acts}))
			}
			if env != "test-pixels-v0" {
				ok(200, do("GET", p+"/words?agent="+agents(r)[0]+"&view=plain", nil))
				ok(422, do("GET", p+"/words?agent=nobody", nil))
				ok(200, do("GET", "/v1/sessions/"+view+"/words?row=1", nil))
			}
			if env == "test-pixels-v0" {
				pic := ok(200, do("GET", p+"/render", nil))
				img, err := png.Decode(bytes.NewReader(pic.raw))
				require.NoError(t, err)
				raw := ok(200, do("GET", p+"/render?format=rgb", nil))
				assert.Len(t, raw.raw, img.Bounds().Dx()*img.Bounds().Dy()*3)
				assert.NotEmpty(t, raw.header.Get("Marlpit-Height"))
				ok(200, do("GET", p+"/render?format=text&row=1", nil))
				ok(422, do("GET", p+"/render?format=gif", nil))
				ok(422, do("GET", p+"/render?row=2", nil))
			} else {
				assert.Equal(t, "no_ability", ok(501, do("GET", p+"/render?format=text", nil)).code())
			}
			snap := ok(200, do("GET", p+"/snapshot", nil))
			ok(200, do("GET", p+"/snapshot?row=1", nil))
			ok(200, do("PUT", p+"/snapshot", fields{"seq": 8, "rows": []int{0, 1}, "snapshots": snap.body["snapshots"]}))
			ok(422, do("PUT", p+"/snapshot", fields{"seq": 9, "rows": []int{0}, "snapshots": []any{[]byte{1}}}))
			fork := ok(201, do("POST", p+"/fork", nil))
			assert.NotEqual(t, id, fork.body["id"])
			ok(204, do("DELETE", "/v1/sessions/"+fork.body["id"].(string), nil))
			ok(403, do("DELETE", "/v1/sessions/"+view, nil))
			ok(204, do("DELETE", p, nil))
			ok(410, do("DELETE", p, nil))
			ok(410, do("POST", p+"/step", fields{"seq": 9, "actions": acts}))
		}
		ok(404, do("GET", "/v1/sessions/none", nil))
		assert.Equal(t, "not_found", ok(404, do("GET", "/v1/nothing", nil)).code())
		assert.Equal(t, "method_not_allowed", ok(405, do("PATCH", "/v1/sessions", nil)).code())
	}
}

func agents(r reply) (out []string) {
	for _, a := range r.body["spec"].(map[string]any)["agents"].([]any) {
		out = append(out, a.(string))
	}
	return out
}

func TestRepliesInJSONAndMsgpackSayTheSame(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", fields{"num_envs": 2, "seed": 3, "arrays": []string{"obs", "mask", "state", "info"}})
	raw := s.reset()
	nested := h.do(t, "POST", s.path("/reset"), mp, fields{"seq": 1}, "Accept", js)
	require.Equal(t, 200, nested.status)
	var flat []float32
	for _, row := range nested.body["obs"].([]any) {
		for _, agent := range row.([]any) {
			for _, v := range agent.([]any) {
				flat = append(flat, float32(v.(float64)))
			}
		}
	}
	assert.Equal(t, raw.floats("obs"), flat)
	assert.NotContains(t, nested.body, "rewards", "only what was asked for travels")
	assert.Len(t, raw.body, 5)
}

func TestActionsInJSONAsBase64(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	s.reset()
	r := h.do(t, "POST", s.path("/step"), js, fields{"seq": 2, "actions": base64.StdEncoding.EncodeToString(ints(0, 1))})
	require.Equal(t, 200, r.status, "%s", r.raw)
	assert.Equal(t, []any{[]any{[]any{1.0}, []any{1.0}}}, r.body["obs"])
}

func TestKeysStandInOneOrder(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", fields{"params": fields{"cells": 4, "max_cycles": 9}, "seed": 1})
	s.reset()
	var first [3][]byte
	for i := range 200 {
		got := [3][]byte{
			h.get(t, s.path("")).raw,
			h.post(t, s.path("/reset"), fields{"seq": 1}).raw,
			h.get(t, "/v1/envs/test-uneven-v0").raw,
		}
		if i == 0 {
			first = got
		}
		for k := range got {
			require.True(t, bytes.Equal(first[k], got[k]), "the same reply is one byte string")
		}
	}
	assert.Equal(t, []string{"mover_0", "talker_0"}, agents(s.reply), "agents in the order of the spec")
	assert.Equal(t, []string{"seq", "obs", "mask", "rewards", "team", "info", "terminated", "truncated"}, keys(t, first[1]))
}

// keys are the keys of a msgpack map, in order.
func keys(t *testing.T, raw []byte) (out []string) {
	t.Helper()
	dec := msgpack.NewDecoder(bytes.NewReader(raw))
	n, err := dec.DecodeMapLen()
	require.NoError(t, err)
	for range n {
		k, err := dec.DecodeString()
		require.NoError(t, err)
		out = append(out, k)
		require.NoError(t, dec.Skip())
	}
	return out
}

func TestLayoutTellsDtypeAndShape(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-pixels-v0", fields{"num_envs": 3, "autoreset": "same_step", "arrays": []string{"obs", "state", "rewards"}})
	b, err := json.Marshal(s.reply.body["layout"])
	require.NoError(t, err)
	assert.JSONEq(t, `{"actions": {"dtype": "<f4", "shape": [3, 2, 2]},
		"arrays": [{"name": "obs", "dtype": "|u1", "shape": [3, 2, 8, 10, 3]}, {"name": "state", "dtype": "<f4", "shape": [3, 4]}, {"name": "rewards", "dtype": "<f4", "shape": [3, 2]}],
		"final": [{"name": "final_rows", "dtype": "<i4", "shape": [-1]}, {"name": "final_obs", "dtype": "|u1", "shape": [-1, 2, 8, 10, 3]}, {"name": "final_state", "dtype": "<f4", "shape": [-1, 4]}]}`, string(b))
	assert.Len(t, s.reset().bytes("obs"), 3*2*8*10*3)
}
