package api_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
)

// bodyRoutes are the routes that read a body.
func bodyRoutes(s *session) [][2]string {
	return [][2]string{
		{"POST", "/v1/sessions"}, {"POST", s.path("/reset")}, {"POST", s.path("/step")},
		{"PUT", s.path("/snapshot")}, {"PUT", s.path("/state")}, {"POST", s.path("/fork")},
	}
}

// grown runs f and tells how many bytes were allocated meanwhile.
func grown(f func()) uint64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return b.TotalAlloc - a.TotalAlloc
}

func TestClaimedCountsReserveNoMemory(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	claims := [][]byte{
		{0xdd, 0xff, 0xff, 0xff, 0xff}, {0xdf, 0x00, 0xff, 0xff, 0xff}, {0xc6, 0xff, 0xff, 0xff, 0xff},
		{0xdb, 0xff, 0xff, 0xff, 0xff}, {0xc9, 0xff, 0xff, 0xff, 0xff, 1},
		append([]byte("\x81\xa6params"), 0xdf, 0x00, 0xff, 0xff, 0xff),
		append([]byte("\x81\xa7actions"), 0xdd, 0xff, 0xff, 0xff, 0xff),
	}
	for _, route := range bodyRoutes(s) {
		for _, body := range claims {
			start := time.Now()
			bytes := grown(func() {
				r := h.do(t, route[0], route[1], mp, body)
				assert.Equal(t, 400, r.status, "%s %x", route, body)
				assert.Equal(t, "bad_request", r.code())
			})
			assert.Less(t, bytes, uint64(20<<20))
			assert.Less(t, time.Since(start), 10*time.Second)
		}
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	pid := os.Getpid()
	for _, route := range bodyRoutes(s) {
		for _, body := range [][]byte{bytes.Repeat([]byte{0x91}, 3<<20), bytes.Repeat([]byte{0x81, 0xa0}, 3<<19)} {
			r := h.do(t, route[0], route[1], mp, body)
			assert.Equal(t, 400, r.status)
			assert.Contains(t, r.text(), "nested deeper than 32")
		}
		for _, body := range []string{strings.Repeat("[", 1<<20), strings.Repeat("[", 100) + strings.Repeat("]", 100), strings.Repeat(`{"":`, 50) + "1" + strings.Repeat("}", 50)} {
			assert.Equal(t, 400, h.do(t, route[0], route[1], js, []byte(body)).status)
		}
	}
	assert.Equal(t, pid, os.Getpid())
	assert.Equal(t, 200, h.get(t, "/healthz").status, "the server lives on")
}

func TestCompressedBodiesAreRefusedUnread(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	_, err := w.Write(make([]byte, 64<<20))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for _, route := range bodyRoutes(s) {
		for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "gzip, gzip", "nonsense"} {
			bytes := grown(func() {
				r := h.do(t, route[0], route[1], mp, bomb.Bytes(), "Content-Encoding", encoding)
				assert.Equal(t, 415, r.status)
				assert.Equal(t, "unsupported", r.code())
			})
			assert.Less(t, bytes, uint64(5<<20))
		}
	}
	assert.Equal(t, 200, h.do(t, "POST", s.path("/reset"), mp, fields{"seq": 1}, "Content-Encoding", "identity").status)
}

func TestTrailingBytesAreRefused(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	for _, route := range bodyRoutes(s) {
		r := h.do(t, route[0], route[1], mp, []byte("\x81\xa3seq\x01\xc0"))
		assert.Equal(t, 400, r.status)
		assert.Contains(t, r.text(), "1 bytes after the end")
		assert.Equal(t, 400, h.do(t, route[0], route[1], js, []byte(`{"seq":1} 2`)).status)
	}
	s.reset() // seq 1 was not used up
}

func TestUnreadableBodies(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", nil)
	for _, body := range []string{"\xc1", "\x81", "\x81\xa3seq", "\x92\x01", "\xcd\x01", "\xd9", "\x01", "\xc0", "\x81\x01\x01", "\x82\xa3seq\x01\xa3seq\x01"} {
		for _, route := range bodyRoutes(s) {
			r := h.do(t, route[0], route[1], mp, []byte(body))
			want := 400
			if strings.Count(body, "seq") == 2 && (route[1] == "/v1/sessions" || strings.HasSuffix(route[1], "/fork")) {
				want = 422 // an unknown field comes first
			}
			assert.Equal(t, want, r.status, "%s %q: %s", route, body, r.text())
		}
	}
	for _, body := range []string{"{", "nonsense", `{"seq":}`, `{"seq":1e999}`, `[1]`, `"x"`} {
		assert.Equal(t, 400, h.do(t, "POST", s.path("/reset"), js, []byte(body)).status, body)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"} {
		assert.Equal(t, 415, h.do(t, "POST", s.path("/reset"), kind, []byte("\x81\xa3seq\x01")).status, kind)
	}
	assert.Equal(t, 200, h.do(t, "POST", s.path("/reset"), js+"; charset=utf-8", []byte(`{"seq":1}`)).status)
	assert.Equal(t, 200, h.do(t, "POST", s.path("/reset"), "", []byte("\x81\xa3seq\x02")).status, "msgpack is the default")
}

func TestWrongTypesAndValuesOfACreation(t *testing.T) {
	h := serve(t, api.Config{})
	for name, c := range map[string]struct {
		body   fields
		status int
		at     string
	}{
		"no env":             {fields{}, 422, "/env"},
		"env a number":       {fields{"env": 1}, 400, "/env"},
		"unknown env":        {fields{"env": "chess-v9"}, 404, "/env"},
		"unknown field":      {fields{"env": "test-count-v0", "num_env": 2}, 422, "/num_env"},
		"params a list":      {fields{"env": "test-count-v0", "params": []int{1}}, 400, "/params"},
		"unknown param":      {fields{"env": "test-count-v0", "params": fields{"depth": 1}}, 422, "/params"},
		"param of a type":    {fields{"env": "test-count-v0", "params": fields{"length": "5"}}, 422, "/params"},
		"param out of range": {fields{"env": "test-count-v0", "params": fields{"agents": 9}}, 422, "/params"},
		"num_envs 0":         {fields{"env": "test-count-v0", "num_envs": 0}, 422, "/num_envs"},
		"num_envs -1":        {fields{"env": "test-count-v0", "num_envs": -1}, 422, "/num_envs"},
		"num_envs 1.0":       {fields{"env": "test-count-v0", "num_envs": 1.0}, 400, "/num_envs"},
		"num_envs true":      {fields{"env": "test-count-v0", "num_envs": true}, 400, "/num_envs"},
		"num_envs 2^40":      {fields{"env": "test-count-v0", "num_envs": 1 << 40}, 422, "/num_envs"},
		"num_envs too many":  {fields{"env": "test-count-v0", "num_envs": 1 << 30}, 413, "/num_envs"},
		"seed -1":            {fields{"env": "test-count-v0", "seed": -1}, 422, "/seed"},
		"seed text":          {fields{"env": "test-count-v0", "seed": "1"}, 400, "/seed"},
		"autoreset":          {fields{"env": "test-count-v0", "autoreset": "now"}, 422, "/autoreset"},
		"autoreset null":     {fields{"env": "test-count-v0", "autoreset": nil}, 400, "/autoreset"},
		"reward unknown":     {fields{"env": "test-count-v0", "reward": "money"}, 422, "/reward"},
		"reward a number":    {fields{"env": "test-count-v0", "reward": 3}, 422, "/reward"},
		"reward no scheme":   {fields{"env": "test-count-v0", "reward": fields{"scale": 1}}, 422, "/reward"},
		"credit, no model":   {fields{"env": "test-count-v0", "reward": "credit"}, 422, "/reward"},
		"arrays unknown":     {fields{"env": "test-count-v0", "arrays": []string{"obs", "pixels"}}, 422, "/arrays"},
		"arrays twice":       {fields{"env": "test-count-v0", "arrays": []string{"obs", "obs"}}, 422, "/arrays"},
		"arrays a text":      {fields{"env": "test-count-v0", "arrays": "obs"}, 400, "/arrays"},
		"text 1":             {fields{"env": "test-count-v0", "text": 1}, 400, "/text"},
		"text, no words":     {fields{"env": "test-stages-v0", "text": true}, 501, "/text"},
		"record a path":      {fields{"env": "test-count-v0", "record": "../x"}, 422, "/record"},
		"record, no folder":  {fields{"env": "test-count-v0", "record": "x"}, 422, "/record"},
	} {
		for _, kind := range []string{mp, js} {
			if kind == js && name == "num_envs 1.0" {
				continue // Go writes 1.0 as 1
			}
			r := h.do(t, "POST", "/v1/sessions", kind, c.body)
			assert.Equal(t, c.status, r.status, "%s in %s: %s", name, kind, r.text())
			assert.Equal(t, c.at, r.body["at"], name)
			assert.NotEmpty(t, r.text())
		}
	}
	assert.Contains(t, string(h.get(t, "/metrics").raw), "marlpit_sessions 0", "nothing was left behind")
}

func TestTheRefusedRewardExplainsItself(t *testing.T) {
	h := serve(t, api.Config{})
	r := h.post(t, "/v1/sessions", fields{"env": "test-count-v0", "reward": fields{"scheme": "credit", "terminal": "zero"}})
	assert.Equal(t, 422, r.status)
	assert.Contains(t, r.text(), "constant")
}

func TestBodyLimit(t *testing.T) {
	h := serve(t, api.Config{MaxBody: 10_000})
	s := h.create(t, "test-count-v0", nil)
	r := h.do(t, "POST", s.path("/reset"), mp, make([]byte, 10_001))
	assert.Equal(t, 413, r.status)
	assert.Equal(t, "too_large", r.code())
	assert.Equal(t, 400, h.do(t, "POST", s.path("/reset"), mp, make([]byte, 10_000)).status)
}
