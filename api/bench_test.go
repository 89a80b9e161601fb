package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marlpit/api"
)

// rawStep steps a session over a connection of its own, as thin as a client can
// be: the request's bytes are built once, seq is written into them.
func rawStep(tb testing.TB, h *harness, s *session, actions []byte) func() int {
	tb.Helper()
	c, err := net.Dial("unix", h.unix)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = c.Close() })
	r := bufio.NewReaderSize(c, 1<<20)
	head := []byte("\x82\xa3seq\xce\x00\x00\x00\x00\xa7actions\xc6\x00\x00\x00\x00")
	n := len(actions)
	copy(head[len(head)-4:], []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	body := append(head, actions...)
	request := append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/msgpack\r\nContent-Length: %d\r\n\r\n", s.path("/step"), len(body)), body...)
	at := bytes.Index(request, []byte("\xa3seq\xce")) + 5
	return func() int {
		s.seq++
		request[at], request[at+1], request[at+2], request[at+3] = byte(s.seq>>24), byte(s.seq>>16), byte(s.seq>>8), byte(s.seq)
		if _, err := c.Write(request); err != nil {
			tb.Fatal(err)
		}
		length := 0
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				tb.Fatal(err)
			}
			if rest, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				for _, d := range bytes.TrimSpace(rest) {
					length = 10*length + int(d-'0')
				}
			}
			if len(line) == 2 {
				break
			}
			if bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && string(line[9:12]) != "200" {
				tb.Fatalf("%s", line)
			}
		}
		if _, err := io.CopyN(io.Discard, r, int64(length)); err != nil {
			tb.Fatal(err)
		}
		return length
	}
}

func BenchmarkStep(b *testing.B) {
	for _, n := range []int{1, 64, 4096} {
		b.Run(fmt.Sprintf("copies=%d", n), func(b *testing.B) {
			h := serve(b, api.Config{})
			s := h.create(b, "test-uneven-v0", fields{"num_envs": n, "autoreset": "same_step"})
			s.reset()
			step := rawStep(b, h, s, ints(make([]int32, 6*n)...))
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				size = step()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "env-steps/s")
			b.ReportMetric(float64(size), "reply-bytes")
		})
	}
}

// BenchmarkHostileBody is the time until a body that claims gigabytes is refused.
func BenchmarkHostileBody(b *testing.B) {
	h := serve(b, api.Config{})
	s := h.create(b, "test-count-v0", nil)
	for b.Loop() {
		if r := h.do(b, "POST", s.path("/step"), mp, []byte{0xdd, 0xff, 0xff, 0xff, 0xff}); r.status != 400 {
			b.Fatal(r.status)
		}
	}
}

// BenchmarkSessions creates, resets and deletes sessions, a hundred thousand in
// all with -benchtime 100000x, and reports what the heap grew by.
func BenchmarkSessions(b *testing.B) {
	h := serve(b, api.Config{})
	h.client.Transport = h.client.Transport.(*checked).next
	before := heap()
	for b.Loop() {
		s := h.create(b, "test-count-v0", nil)
		s.reset()
		if r := h.do(b, "DELETE", s.path(""), "", nil); r.status != 204 {
			b.Fatal(r.status)
		}
	}
	b.ReportMetric(float64(heap())-float64(before), "heap-bytes")
}

func TestAStepInTheServerIsQuick(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-uneven-v0", fields{"autoreset": "same_step"})
	s.reset()
	step := rawStep(t, h, s, ints(make([]int32, 6)...))
	best := time.Hour
	for range 2000 {
		start := time.Now()
		step()
		best = min(best, time.Since(start))
	}
	if best > 500*time.Microsecond { // some 15 µs on an idle machine; this is an alarm, not a measurement
		t.Errorf("the quickest of 2,000 steps took %v", best)
	}
}
