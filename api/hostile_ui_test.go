package api_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
	"marlpit/envs/catalog"
)

// Snapshots of phones and pages that were damaged on their way, or made up, are
// refused or mean another state; a refusal changes nothing, and none costs more
// than its bytes are worth.
func TestDamagedSnapshotsOfScreens(t *testing.T) {
	h := serve(t, api.Config{Registry: catalog.All()})
	params := fields{"agents": 2, "rounds": 2}
	for _, id := range []string{"phone-v1", "web-v1"} {
		t.Run(id, func(t *testing.T) {
			s := h.create(t, id, fields{"num_envs": 2, "seed": 5, "params": params})
			s.reset()
			for range 5 {
				s.step(ints(3, 3, 3, 3))
			}
			saved := h.get(t, s.path("/snapshot"))
			good := saved.body["snapshots"].([]any)
			whole := good[0].([]byte)
			put := func(snapshot []byte) int {
				r := h.do(t, "PUT", s.path("/snapshot"), mp, fields{"seq": s.seq + 1, "rows": []int{0}, "snapshots": []any{snapshot}})
				if r.status == 200 {
					s.seq++
				}
				return r.status
			}
			refused := func(what string, snapshot []byte) {
				t.Helper()
				before := h.get(t, s.path("/snapshot")).raw
				require.Equal(t, 422, put(snapshot), what)
				require.Equal(t, before, h.get(t, s.path("/snapshot")).raw, what)
			}

			other := h.create(t, map[string]string{"phone-v1": "web-v1", "web-v1": "phone-v1"}[id], fields{"params": params})
			other.reset()
			refused("another world's", h.get(t, other.path("/snapshot")).body["snapshots"].([]any)[0].([]byte))
			for _, n := range []int{0, 1, 4, 5, 6, len(whole) / 3, len(whole) - 1} {
				refused("a part of it", whole[:n])
			}
			refused("something behind it", append(bytes.Clone(whole), "{}"...))
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			head := whole[:5]
			for _, state := range []string{
				`{"template":"` + string(bytes.Repeat([]byte("x"), 1<<20)) + `"}`, `{"turn":1e300}`, `{"turn":-1}`, `{"seed":99999999999999999999}`,
				`{"graph":[[0,1],[1,0]]}`, `{"graph":[[0,9999999]]}`, `{"scrolls":[{},{},{},{},{},{},{},{}]}`, `{"template":"x","template":"y"}`,
				string(bytes.Repeat([]byte("["), 1<<16)), `{"sim":` + string(bytes.Repeat([]byte(`{"a":`), 1<<14)) + `}`, `null`, `[]`, `{"history":[1,2,3]}`,
			} {
				refused(state[:min(len(state), 40)], append(bytes.Clone(head), state...))
			}
			runtime.ReadMemStats(&end)
			assert.Less(t, end.TotalAlloc-start.TotalAlloc, uint64(200<<20), "bytes that were asked for, all together")

			rng, kept := rand.New(rand.NewPCG(1, 2)), 0
			for range 150 {
				bad := bytes.Clone(whole)
				for range 1 + rng.IntN(3) {
					bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
				}
				before := h.get(t, s.path("/snapshot")).raw
				switch put(bad) {
				case 200: // it reads as another state
					kept++
					s.step(ints(3, 0, 3, 0))
				case 422:
					require.Equal(t, before, h.get(t, s.path("/snapshot")).raw)
				default:
					t.Fatalf("neither taken nor refused: %q", bad)
				}
			}
			assert.Less(t, kept, 150)
			require.Equal(t, 200, put(whole))
			assert.Equal(t, whole, h.get(t, s.path("/snapshot")).body["snapshots"].([]any)[0].([]byte))
		})
	}
}
