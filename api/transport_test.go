package api_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

// A run over HTTP is the run in process, field for field: no reward of exactly
// 0, no false and no empty text is lost on the way.
func TestNothingIsLostOnTheWay(t *testing.T) {
	const n, seed = 3, 9
	everything := []string{"obs", "mask", "state", "rewards", "team", "info", "terminated", "truncated"}
	for _, id := range []string{"test-uneven-v0", "test-pixels-v0", "test-stages-v0", "test-count-v0"} {
		h := serve(t, api.Config{})
		s := h.create(t, id, fields{"num_envs": n, "seed": seed, "arrays": everything})
		entry, err := envs.NewRegistry(worlds.Entries()...).Find(id)
		require.NoError(t, err)
		b := envs.NewBatch(mustEnv(t, entry).Spec(), n, false)
		var direct []envs.Env
		for i := range n {
			e := mustEnv(t, entry)
			row := b.Row(i)
			e.Reset(envs.EpisodeSeed(seed, i, 0), &row)
			direct = append(direct, e)
		}
		same(t, b, s, s.reset())
		var rng envs.Rand
		rng.Seed(1)
		for range 12 {
			var a envs.Actions
			var raw []byte
			spec := direct[0].Spec()
			for range n {
				for _, space := range spec.Action {
					for d := range spec.ActionDims() {
						switch {
						case spec.Continuous():
							v := float32(2*rng.Float64() - 1)
							a.Value = append(a.Value, v)
							raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
						case d < len(space.N):
							v := int32(rng.Intn(space.N[d]))
							a.Choice = append(a.Choice, v)
							raw = append(raw, ints(v)...)
						default:
							a.Choice = append(a.Choice, 0)
							raw = append(raw, ints(0)...)
						}
					}
				}
			}
			r := s.step(raw)
			for i, e := range direct {
				row := b.Row(i)
				if ended := row.Ended(); ended {
					clear(row.Rewards)
					clear(row.Team)
					continue
				}
				w := len(raw) / 4 / n
				if spec.Continuous() {
					e.Step(envs.Actions{Value: a.Value[i*w : (i+1)*w]}, &row)
				} else {
					e.Step(envs.Actions{Choice: a.Choice[i*w : (i+1)*w]}, &row)
				}
			}
			same(t, b, s, r)
		}
	}
}

func mustEnv(t *testing.T, e envs.Entry) envs.Env {
	t.Helper()
	env, err := e.New(nil)
	require.NoError(t, err)
	return env
}

// same compares a reply with a batch played in process. The session's info has
// the world's columns first.
func same(t *testing.T, b *envs.Batch, s *session, r reply) {
	t.Helper()
	if b.Pixels != nil {
		require.Equal(t, b.Pixels, r.bytes("obs"))
	} else {
		require.Equal(t, b.Obs, r.floats("obs"))
	}
	if len(b.Mask) > 0 {
		require.Equal(t, b.Mask, r.bytes("mask"))
	}
	require.Equal(t, b.State, r.floats("state"))
	require.Equal(t, b.Rewards, r.floats("rewards"))
	require.Equal(t, b.Team, r.floats("team"))
	own := len(b.Info) / len(b.Rewards)
	wide := len(r.floats("info")) / len(b.Rewards)
	var info []float32
	for chunk := range slices.Chunk(r.floats("info"), wide) {
		info = append(info, chunk[:own]...)
	}
	require.Equal(t, b.Info, info)
	require.Equal(t, flags(b.Terminated), r.bytes("terminated"))
	require.Equal(t, flags(b.Truncated), r.bytes("truncated"))
}

func flags(v []bool) []byte {
	out := make([]byte, len(v))
	for i, b := range v {
		if b {
			out[i] = 1
		}
	}
	return out
}

func TestFinalFramesTravel(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", fields{"num_envs": 3, "autoreset": "same_step", "params": fields{"length": 3}, "arrays": []string{"obs", "mask", "state", "rewards", "terminated"}})
	s.reset()
	s.step(ints(0, 0, 0, 0, 0, 0))
	s.reset(fields{"mask": []byte{0, 1, 0}}) // row 1 is one step behind
	s.step(ints(0, 0, 0, 0, 0, 0))
	r := s.step(ints(0, 0, 0, 0, 0, 0))
	assert.Equal(t, ints(0, 2), r.bytes("final_rows"))
	assert.Equal(t, []float32{3, 3, 3, 3}, r.floats("final_obs"))
	assert.Len(t, r.floats("final_state"), 2)
	assert.Len(t, r.bytes("final_mask"), 2*2*2)
	assert.Equal(t, []float32{0, 0, 2, 2, 0, 0}, r.floats("obs"), "the new episode's")
	assert.Equal(t, []float32{1, 1, 0, 0, 1, 1}, r.floats("rewards"), "the ended step's")
	assert.Equal(t, []byte{1, 1, 0, 0, 1, 1}, r.bytes("terminated"))
	nested := h.do(t, "POST", s.path("/reset"), mp, fields{"seq": s.seq}, "Accept", js)
	assert.Equal(t, []any{0.0, 2.0}, nested.body["final_rows"])
	assert.Equal(t, []any{[]any{[]any{3.0}, []any{3.0}}, []any{[]any{3.0}, []any{3.0}}}, nested.body["final_obs"])
	r = s.step(ints(0, 0, 0, 0, 0, 0))
	assert.Equal(t, ints(1), r.bytes("final_rows"))
	r = s.step(ints(0, 0, 0, 0, 0, 0))
	assert.NotContains(t, r.body, "final_rows", "only where rows were reset")
}

func TestSnapshotAndForkPlayOnIdentically(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", fields{"num_envs": 2, "seed": 4, "autoreset": "same_step"})
	s.reset()
	move := func(s *session, i int) []byte {
		x := int32(i)
		return s.step(ints(x%3, x%2, 0, x%4, x%2, x%3, (x+1)%3, 0, 0, 1, 0, 0)).raw[6:] // behind seq
	}
	for i := range 5 {
		move(s, i)
	}
	saved := h.get(t, s.path("/snapshot"))
	f := h.post(t, s.path("/fork"), nil)
	require.Equal(t, 201, f.status)
	assert.EqualValues(t, 0, f.body["seq"])
	twin := &session{h: h, t: t, id: f.body["id"].(string)}
	var went [][]byte
	for i := range 40 {
		went = append(went, move(s, i))
	}
	for i := range 40 {
		require.Equal(t, went[i], move(twin, i), "fork, step %d", i)
	}
	r := s.h.do(t, "PUT", s.path("/snapshot"), mp, fields{"seq": s.seq + 1, "rows": saved.body["rows"], "snapshots": saved.body["snapshots"]})
	require.Equal(t, 200, r.status, r.text())
	assert.Equal(t, []float32{0, 0, 0, 0}, r.floats("rewards"))
	s.seq++
	for i := range 40 {
		require.Equal(t, went[i], move(s, i), "restored, step %d", i)
	}
	for _, bad := range []fields{
		{"rows": []int{0, 0}, "snapshots": saved.body["snapshots"]}, {"rows": []int{2}, "snapshots": saved.body["snapshots"]},
		{"rows": []int{0}, "snapshots": saved.body["snapshots"]}, {"snapshots": []any{[]byte{}, []byte{1, 2}}}, {},
	} {
		bad["seq"] = s.seq + 1
		assert.Equal(t, 422, h.do(t, "PUT", s.path("/snapshot"), mp, bad).status)
	}
}
