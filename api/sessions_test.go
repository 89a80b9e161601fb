package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"marlpit/api"
)

func TestIdsOutliveTheRequestsThatMadeThem(t *testing.T) {
	h := serve(t, api.Config{RecordDir: t.TempDir()})
	var made []*session
	var names []string
	for i := range 64 { // recordings have names of different lengths: they stand in the session
		name := fmt.Sprintf("r%d_%s", i, bytes.Repeat([]byte{'x'}, i))
		made = append(made, h.create(t, "test-count-v0", fields{"record": name}))
		names = append(names, name)
	}
	var wg sync.WaitGroup
	for _, s := range made {
		wg.Go(func() {
			client := h.newClient()
			defer client.CloseIdleConnections()
			own := &session{h: &harness{Server: h.Server, client: client}, t: t, id: s.id}
			own.reset()
			for range 50 {
				own.step(ints(0, 0))
			}
		})
	}
	wg.Wait()
	for i, s := range made {
		r := h.get(t, s.path(""))
		require.Equal(t, 200, r.status)
		assert.Equal(t, s.id, r.body["id"])
		assert.Equal(t, s.view, r.body["view"])
		assert.Equal(t, names[i], r.body["record"])
		assert.EqualValues(t, 51, r.body["seq"])
	}
}

func TestIdleSessionsAreReapedAndSayso(t *testing.T) {
	h := serve(t, api.Config{MaxSessions: 4, IdleTimeout: 300 * time.Millisecond})
	var dead []*session
	for range 4 {
		dead = append(dead, h.create(t, "test-count-v0", nil))
	}
	r := h.post(t, "/v1/sessions", fields{"env": "test-count-v0"})
	assert.Equal(t, 503, r.status)
	assert.Equal(t, "too_many_sessions", r.code())
	time.Sleep(450 * time.Millisecond)
	h.create(t, "test-count-v0", nil)
	for _, s := range dead {
		for _, id := range []string{s.id, s.view} {
			r := h.get(t, "/v1/sessions/"+id)
			assert.Equal(t, 410, r.status)
			assert.Equal(t, "session_expired", r.code())
		}
	}
	assert.Equal(t, 404, h.get(t, "/v1/sessions/s"+dead[0].id[2:]+"0").status, "an id that never was is not found")
}

func TestCallsRenewTheLeaseAndRunningStepsHoldIt(t *testing.T) {
	h := serve(t, api.Config{IdleTimeout: 200 * time.Millisecond})
	s := h.create(t, "test-slow-v0", fields{"params": fields{"millis": 600}})
	s.reset()
	slow := len(agents(s.reply))
	s.step(ints(make([]int32, slow)...)) // three times the idle time
	for range 4 {
		time.Sleep(100 * time.Millisecond)
		require.Equal(t, 200, h.get(t, s.path("")).status)
	}
	for range 6 { // looking by the view id doesn't hold a session
		time.Sleep(60 * time.Millisecond)
		h.get(t, "/v1/sessions/"+s.view)
	}
	assert.Equal(t, 410, h.get(t, s.path("")).status)
}

// play steps a session with actions of its own and returns all replies' bytes.
func play(t testing.TB, s *session, steps int) []byte {
	s.t = t
	all := s.reset().raw
	for i := range steps {
		x := int32(i)
		all = append(all, s.step(ints(x%3, x%2, 0, x%4, x%2, x%3)).raw...)
	}
	return all
}

func TestInterleavedClientsPlayAsIfAlone(t *testing.T) {
	h := serve(t, api.Config{})
	var alone [32][]byte
	for i := range alone {
		alone[i] = play(t, h.create(t, "test-uneven-v0", fields{"seed": i, "autoreset": "next_step"}), 40)
	}
	var wg sync.WaitGroup
	for i := range alone {
		wg.Go(func() {
			s := h.create(t, "test-uneven-v0", fields{"seed": i, "autoreset": "next_step"})
			assert.True(t, bytes.Equal(alone[i], play(t, s, 40)), "client %d", i)
		})
	}
	wg.Wait()
}

func TestSeedsSurviveARestart(t *testing.T) {
	a, b := serve(t, api.Config{}), serve(t, api.Config{})
	same := func(seed any) ([]byte, []byte) {
		more := fields{"num_envs": 8, "params": fields{"cells": 20}, "arrays": []string{"state"}}
		if seed != nil {
			more["seed"] = seed
		}
		x, y := a.create(t, "test-uneven-v0", more), b.create(t, "test-uneven-v0", more)
		p, q := x.reset().raw, y.reset().raw
		p, q = append(p, x.reset().raw...), append(q, y.reset().raw...)
		return append(p, x.reset(fields{"seed": 5}).raw...), append(q, y.reset(fields{"seed": 5}).raw...)
	}
	for _, seed := range []any{0, 1, uint64(1<<64 - 1)} {
		x, y := same(seed)
		assert.Equal(t, x, y, "seed %v", seed)
	}
	x, y := same(nil)
	n := len(x) / 3
	assert.NotEqual(t, x[:n], y[:n], "without a seed each session draws one")
	assert.Equal(t, x[2*n:], y[2*n:], "a seed at reset counts")
	assert.NotEqual(t, x[:n], x[n:2*n], "reset without a seed continues the stream")
	zero := a.create(t, "test-count-v0", fields{"seed": 0})
	assert.EqualValues(t, 0, zero.reply.body["seed"], "seed 0 is a seed")
}

func TestARepeatedSeqGetsTheLostReply(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", fields{"num_envs": 2, "autoreset": "same_step", "params": fields{"length": 3}})
	s.reset()
	for range 7 {
		first := s.step(ints(0, 0, 0, 0))
		again := h.post(t, s.path("/step"), fields{"seq": s.seq, "actions": "whatever"})
		assert.Equal(t, first.raw, again.raw)
		assert.Equal(t, first.raw, h.post(t, s.path("/reset"), fields{"seq": s.seq}).raw, "by whatever call")
	}
	assert.Equal(t, []float32{2, 2, 2, 2}, s.step(ints(0, 0, 0, 0)).floats("obs"), "8 steps in episodes of 3")
	for _, bad := range []any{s.seq - 1, s.seq + 2, uint64(1<<64 - 1), 0} {
		r := h.post(t, s.path("/step"), fields{"seq": bad, "actions": ints(0, 0, 0, 0)})
		assert.Equal(t, 409, r.status)
		assert.Equal(t, "bad_seq", r.code())
		assert.Contains(t, r.text(), fmt.Sprintf("expected seq %d", s.seq+1))
	}
	for _, bad := range []any{-1, "3", 3.0, nil, true} {
		assert.Equal(t, 400, h.post(t, s.path("/step"), fields{"seq": bad, "actions": ints(0, 0, 0, 0)}).status, "%v", bad)
	}
	assert.Equal(t, 422, h.post(t, s.path("/step"), fields{"actions": ints(0, 0, 0, 0)}).status)
	fresh := h.create(t, "test-count-v0", nil)
	assert.Equal(t, 409, h.post(t, fresh.path("/reset"), fields{"seq": 0}).status, "there is no reply before the first")
	r := h.post(t, fresh.path("/step"), fields{"seq": 1, "actions": ints(0, 0)})
	assert.Equal(t, "not_reset", r.code())
	fresh.reset()
}

func TestAProxyThatLosesAReply(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	s.reset()
	body, err := msgpack.Marshal(fields{"seq": 2, "actions": ints(0, 0)})
	require.NoError(t, err)
	request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/msgpack\r\nContent-Length: %d\r\n\r\n%s", s.path("/step"), len(body), body)
	proxy := func(lose bool) []byte {
		c, err := net.Dial("tcp", h.tcp)
		require.NoError(t, err)
		defer func() { _ = c.Close() }()
		_, err = io.WriteString(c, request)
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		raw, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		if lose {
			return nil
		}
		return raw
	}
	assert.Nil(t, proxy(true))
	got := proxy(false)
	s.seq = 2
	assert.Equal(t, []float32{2, 2}, s.step(ints(0, 0)).floats("obs"), "the counter advanced once for the retried step")
	var r struct {
		Seq int    `msgpack:"seq"`
		Obs []byte `msgpack:"obs"`
	}
	require.NoError(t, msgpack.Unmarshal(got, &r))
	assert.Equal(t, 2, r.Seq)
	assert.Equal(t, floats(1, 1), r.Obs)
}

func TestViewIdsOnlyLook(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-pixels-v0", nil)
	s.reset()
	v := "/v1/sessions/" + s.view
	for _, c := range [][2]string{{"POST", "/reset"}, {"POST", "/step"}, {"PUT", "/snapshot"}, {"POST", "/fork"}, {"DELETE", ""}, {"GET", "/snapshot"}} {
		var body any
		if c[0] != "GET" && c[0] != "DELETE" && c[1] != "/fork" {
			body = fields{"seq": 2, "actions": floats(0, 0, 0, 0)}
		}
		r := h.do(t, c[0], v+c[1], mp, body)
		assert.Equal(t, 403, r.status, c)
		assert.Equal(t, "read_only", r.code())
	}
	assert.Equal(t, 200, h.get(t, v+"/render").status)
	assert.NotContains(t, string(h.get(t, v).raw), s.id)
}

func TestSessionsLeaveNothingBehind(t *testing.T) {
	h := serve(t, api.Config{MaxSessions: 8})
	cycle := func(n int) {
		for range n {
			s := h.create(t, "test-count-v0", fields{"num_envs": 64, "text": true})
			s.reset()
			require.Equal(t, 204, h.do(t, "DELETE", s.path(""), "", nil).status)
		}
	}
	measure := func() (uint64, int) { return heap(), runtime.NumGoroutine() }
	cycle(100)
	heap, goroutines := measure()
	cycle(1000)
	after, now := measure()
	assert.LessOrEqual(t, now, goroutines+2)
	assert.Less(t, int64(after)-int64(heap), int64(1<<20), "1,000 sessions of 64 copies came and went")
}

func TestMemoryIsLinearInCopies(t *testing.T) {
	h := serve(t, api.Config{})
	size := func(n int) float64 {
		before := heap()
		s := h.create(t, "test-uneven-v0", fields{"num_envs": n})
		s.reset()
		after := heap()
		require.Equal(t, 204, h.do(t, "DELETE", s.path(""), "", nil).status)
		return float64(after) - float64(before)
	}
	size(4000) // warms buffers
	assert.InEpsilon(t, 2, size(4000)/size(2000), 0.15)
	assert.Less(t, size(4000)/4000, 3000.0, "bytes a copy")
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
