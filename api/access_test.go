package api_test

import (
	"bytes"
	"net/http"
	"sync"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"marlpit/api"
	"marlpit/shaping/study"
)

// tcp sends a GET to the TCP listener and returns status and code.
func (h *harness) tcpGet(t *testing.T, path string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequest("GET", "http://"+h.tcp+path, nil)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		} else {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	client := &http.Client{Transport: &checked{next: &http.Transport{DisableKeepAlives: true}}}
	res, err := client.Do(req)
	require.NoError(t, err)
	return read(t, res)
}

func TestHostAndOriginAreChecked(t *testing.T) {
	h := serve(t, api.Config{Hosts: []string{"lab.example"}})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8321": 200, "127.0.0.1": 200, "127.0.0.1:99": 200, "[::1]:8321": 200, "[::1]": 200, "lab.example:80": 200,
		"evil.example": 403, "evil.example:8321": 403, "127.0.0.1.evil.example": 403, "localhost.": 403,
	} {
		r := h.tcpGet(t, "/v1/envs", "Host", host)
		assert.Equal(t, want, r.status, host)
		if want == 403 {
			assert.Equal(t, "forbidden_host", r.code())
		}
	}
	for origin, want := range map[string]int{
		"http://" + h.tcp: 200, "http://evil.example": 403, "null": 403, "http://localhost:1": 403, "file://": 403,
	} {
		assert.Equal(t, want, h.tcpGet(t, "/v1/envs", "Origin", origin).status, origin)
	}
	assert.Equal(t, 403, h.tcpGet(t, "/healthz", "Host", "evil.example").status)
	assert.Equal(t, 200, h.do(t, "GET", "/v1/envs", "", nil, "Host", "anything").status, "a Unix socket can't be rebound")
}

func TestTokens(t *testing.T) {
	h := serve(t, api.Config{Token: "s3cret"})
	for _, path := range []string{"/v1/envs", "/metrics", "/readyz", "/openapi.yaml", "/v1/sessions/none", "/nothing"} {
		for _, auth := range []string{"", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3cret2", "Basic s3cret", "s3cret"} {
			r := h.do(t, "GET", path, "", nil, "Authorization", auth)
			assert.Equal(t, 401, r.status, "%s %q", path, auth)
			assert.Equal(t, "unauthorized", r.code())
			assert.NotContains(t, string(r.raw), "s3cret")
		}
		assert.NotEqual(t, 401, h.do(t, "GET", path, "", nil, "Authorization", "Bearer s3cret").status)
	}
	for _, path := range []string{"/healthz", "/", "/web/watch.js"} {
		assert.Equal(t, 200, h.get(t, path).status, "%s needs none", path)
	}
}

func TestThePageIsSelfContained(t *testing.T) {
	h := serve(t, api.Config{})
	page := h.get(t, "/")
	assert.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
	assert.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'self'")
	assert.NotContains(t, string(page.raw), "://")
	for path, kind := range map[string]string{"/web/style.css": "text/css; charset=utf-8", "/web/watch.js": "text/javascript; charset=utf-8", "/web/icon.svg": "image/svg+xml"} {
		r := h.get(t, path)
		assert.Equal(t, 200, r.status, path)
		assert.Equal(t, kind, r.header.Get("Content-Type"))
		assert.Contains(t, string(page.raw), path)
	}
	for _, path := range []string{"/web/none.js", "/web/..%2fpage.go", "/web/"} {
		assert.Equal(t, 404, h.get(t, path).status, path)
	}
}

func TestMetricsCount(t *testing.T) {
	h := serve(t, api.Config{Critics: []study.LiveCritic{{Name: "oracle", Kind: "oracle"}}})
	s := h.create(t, "test-count-v0", fields{"num_envs": 16})
	s.reset()
	s.step(ints(make([]int32, 32)...))
	s.step(ints(make([]int32, 32)...))
	text := string(h.get(t, "/metrics").raw)
	for _, line := range []string{
		"marlpit_env_steps_total 32", "marlpit_sessions 1", "marlpit_sessions_created_total 1",
		`marlpit_model_calls_total{critic="oracle",outcome="ok"} 0`, `marlpit_model_calls_total{critic="oracle",outcome="failed"} 0`,
		`marlpit_request_seconds_count{route="/v1/sessions/:id/step"} 2`,
	} {
		assert.Contains(t, text, line)
	}
	assert.NotContains(t, text, s.id, "ids are keys")
}

func TestNotReadyWhileShuttingDown(t *testing.T) {
	h := serve(t, api.Config{})
	assert.Equal(t, 200, h.get(t, "/readyz").status)
	assert.Zero(t, h.create(t, "test-count-v0", nil).h.Idle(), "a session keeps the server busy")
}

// buffer is a log to read: written from several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestTheLogTellsRequestsButNoSecrets(t *testing.T) {
	var log buffer
	h := serve(t, api.Config{Log: zerolog.New(&log).Level(zerolog.DebugLevel), Token: "s3cret"})
	r := h.do(t, "POST", "/v1/sessions", mp, fields{"env": "test-panic-v0", "params": fields{"at": 1}}, "Authorization", "Bearer s3cret")
	require.Equal(t, 201, r.status)
	path := "/v1/sessions/" + r.body["id"].(string)
	h.do(t, "POST", path+"/reset", mp, fields{"seq": 1}, "Authorization", "Bearer s3cret")
	h.do(t, "POST", path+"/step", mp, fields{"seq": 2, "actions": ints(0, 0)}, "Authorization", "Bearer s3cret")
	text := log.String()
	for _, part := range []string{`"method":"POST","route":"/v1/sessions/:id/step","status":500`, `"message":"session created"`, "test-panic-v0: step 1", "worlds/panic.go"} {
		assert.Contains(t, text, part)
	}
	assert.NotContains(t, text, "s3cret")
	assert.NotContains(t, text, r.body["id"], "ids are keys")
	assert.NotContains(t, text, "actions")
}

func TestWordsTellTheLastTransition(t *testing.T) {
	h := serve(t, api.Config{})
	s := h.create(t, "test-count-v0", fields{"text": true, "autoreset": "same_step", "params": fields{"length": 3}})
	words := func(query string) string { return h.get(t, s.path("/words"+query)).body["words"].(string) }
	assert.Equal(t, "not_reset", h.get(t, s.path("/words")).code())
	s.reset()
	assert.Contains(t, words("?view=plain"), "Before, the count was 0; now, it is 0.")
	s.step(ints(0, 0))
	assert.Contains(t, words("?view=plain"), "Before, the count was 0; now, it is 1.")
	s.step(ints(0, 0))
	assert.Contains(t, words("?view=plain&agent=agent_1"), "agent_1 counts")
	assert.Contains(t, words("?view=guided"), "Before, 2 steps were missing; now, 1 are.")
	s.step(ints(0, 0))
	assert.Contains(t, words("?view=plain"), "Before, the count was 0; now, it is 0.", "words never span two episodes")
	silent := h.create(t, "test-count-v0", nil)
	silent.reset()
	r := h.get(t, silent.path("/words"))
	assert.Equal(t, 422, r.status)
	assert.Contains(t, r.text(), "text: true")
}

func TestRepliesAreJSONUnlessMsgpackIsSpoken(t *testing.T) {
	h := serve(t, api.Config{})
	made, err := msgpack.Marshal(fields{"env": "test-count-v0"})
	require.NoError(t, err)
	for _, c := range []struct {
		method, path, kind, accept string
		body                       any
		want                       string
	}{
		{"GET", "/v1/envs", "", "", nil, js},
		{"GET", "/v1/envs", "", "*/*", nil, js}, // curl
		{"GET", "/v1/envs/none", "", "*/*", nil, js},
		{"GET", "/healthz", "", "text/html,application/xhtml+xml,*/*;q=0.8", nil, js},
		{"GET", "/v1/envs", "", mp, nil, mp},
		{"GET", "/v1/envs", "", "application/msgpack, */*", nil, mp},
		{"GET", "/v1/envs", mp, "*/*", nil, mp},
		{"POST", "/v1/sessions", js, "*/*", fields{"env": "test-count-v0"}, js},
		{"POST", "/v1/sessions", mp, "*/*", fields{"env": "test-count-v0"}, mp},
		{"POST", "/v1/sessions", "", "", made, mp},
		{"POST", "/v1/sessions", js, mp, fields{"env": "test-count-v0"}, mp},
		{"POST", "/v1/sessions", mp, js, fields{"env": "test-count-v0"}, js},
		{"POST", "/v1/sessions", "", "*/*", nil, js},                                                    // refused
		{"POST", "/v1/sessions", "application/x-www-form-urlencoded", "*/*", []byte(`{"env":"x"}`), js}, // curl -d without a type; refused
		{"PUT", "/v1/credit-models/none", "application/octet-stream", "*/*", []byte("no model"), js},    // refused
	} {
		headers := []string{}
		if c.accept != "" {
			headers = []string{"Accept", c.accept}
		}
		r := h.do(t, c.method, c.path, c.kind, c.body, headers...)
		assert.Equal(t, c.want, r.header.Get("Content-Type"), "%s %s of %q, Accept %q", c.method, c.path, c.kind, c.accept)
	}
}
