package api_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"marlpit/api"
	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

// harness is a server on real listeners. Whatever passes through its clients is
// checked against openapi.yaml.
type harness struct {
	*api.Server
	tcp, unix string
	client    *http.Client // over the Unix socket
}

func serve(t testing.TB, cfg api.Config) *harness {
	t.Helper()
	if cfg.Registry == nil {
		cfg.Registry = envs.NewRegistry(worlds.Entries()...)
	}
	cfg.Version = "test"
	spec, err := os.ReadFile("../openapi.yaml")
	require.NoError(t, err)
	cfg.OpenAPI = spec
	s, err := api.New(cfg)
	require.NoError(t, err)
	h := &harness{Server: s}
	dir, err := os.MkdirTemp("", "api")
	require.NoError(t, err)
	h.unix = filepath.Join(dir, "s")
	u, err := net.Listen("unix", h.unix)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.tcp = l.Addr().String()
	go func() { _ = h.Serve(u) }()
	go func() { _ = h.Serve(l) }()
	h.client = h.newClient()
	t.Cleanup(func() {
		h.client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = h.Shutdown(ctx)
		_ = os.RemoveAll(dir)
	})
	return h
}

func (h *harness) newClient() *http.Client {
	return &http.Client{Transport: &checked{next: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", h.unix) },
	}}}
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any // of msgpack and JSON
}

func (r reply) code() any    { return r.body["code"] }
func (r reply) text() string { s, _ := r.body["message"].(string); return s }

// floats reads an array of a msgpack reply.
func (r reply) floats(name string) []float32 {
	b, _ := r.body[name].([]byte)
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r reply) bytes(name string) []byte { b, _ := r.body[name].([]byte); return b }

// do sends a request: body is encoded as kind says, unless it is bytes.
func (h *harness) do(t testing.TB, method, path, kind string, body any, headers ...string) reply {
	t.Helper()
	var raw []byte
	switch b := body.(type) {
	case nil:
	case []byte:
		raw = b
	default:
		var err error
		if kind == "application/json" {
			raw, err = json.Marshal(b)
		} else {
			raw, err = msgpack.Marshal(b)
		}
		require.NoError(t, err)
	}
	req, err := http.NewRequest(method, "http://localhost"+path, bytes.NewReader(raw))
	require.NoError(t, err)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		} else {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	res, err := h.client.Do(req)
	require.NoError(t, err)
	return read(t, res)
}

func read(t testing.TB, res *http.Response) reply {
	t.Helper()
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	r := reply{status: res.StatusCode, header: res.Header, raw: raw}
	switch kind := res.Header.Get("Content-Type"); {
	case kind == "application/json":
		require.NoError(t, json.Unmarshal(raw, &r.body))
	case kind == "application/msgpack":
		require.NoError(t, msgpack.Unmarshal(raw, &r.body))
	}
	return r
}

const (
	mp = "application/msgpack"
	js = "application/json"
)

func (h *harness) post(t testing.TB, path string, body any) reply {
	t.Helper()
	return h.do(t, "POST", path, mp, body)
}

func (h *harness) get(t testing.TB, path string) reply {
	t.Helper()
	return h.do(t, "GET", path, "", nil, "Accept", mp)
}

// session is a session under test.
type session struct {
	h     *harness
	t     testing.TB
	id    string
	view  string
	seq   int
	reply reply
}

type fields = map[string]any

func (h *harness) create(t testing.TB, env string, more fields) *session {
	t.Helper()
	body := fields{"env": env}
	for k, v := range more {
		body[k] = v
	}
	r := h.post(t, "/v1/sessions", body)
	require.Equal(t, 201, r.status, r.text())
	return &session{h: h, t: t, id: r.body["id"].(string), view: r.body["view"].(string), reply: r}
}

func (s *session) path(rest string) string { return "/v1/sessions/" + s.id + rest }

// reset and step send the next seq and expect success.
func (s *session) reset(more ...fields) reply {
	s.t.Helper()
	return s.call("/reset", more...)
}

func (s *session) step(actions any) reply {
	s.t.Helper()
	return s.call("/step", fields{"actions": actions})
}

func (s *session) call(path string, more ...fields) reply {
	s.t.Helper()
	s.seq++
	body := fields{"seq": s.seq}
	for _, m := range more {
		for k, v := range m {
			body[k] = v
		}
	}
	r := s.h.post(s.t, s.path(path), body)
	require.Equal(s.t, 200, r.status, r.text())
	return r
}

// ints are the raw bytes of choices.
func ints(v ...int32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func floats(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// checked is a transport that holds every exchange to openapi.yaml.
type checked struct{ next http.RoundTripper }

var contract = sync.OnceValue(func() routers.Router {
	// A msgpack body reads as JSON would: integers as float64, bytes as texts.
	openapi3filter.RegisterBodyDecoder(mp, func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		dec := msgpack.NewDecoder(body)
		dec.UseLooseInterfaceDecoding(true)
		v, err := dec.DecodeInterface()
		return plain(v), err
	})
	text := func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		b, err := io.ReadAll(body)
		return string(b), err
	}
	for _, kind := range []string{"image/png", "text/html", "text/css", "text/javascript", "text/plain", "application/yaml", "image/svg+xml"} {
		openapi3filter.RegisterBodyDecoder(kind, text)
	}
	doc, err := openapi3.NewLoader().LoadFromFile("../openapi.yaml")
	if err != nil {
		panic(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		panic(err)
	}
	doc.Servers = nil
	r, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	return r
})

func plain(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case []byte:
		return string(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// breach is a reply that the contract doesn't allow.
type breach struct{ error }

func (c *checked) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	res, err := c.next.RoundTrip(req)
	if err != nil || strings.HasSuffix(req.URL.Path, "/events") && res.StatusCode == 200 {
		return res, err
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(raw))
	if err := check(req, body, res, raw); err != nil {
		return nil, breach{err}
	}
	return res, nil
}

func check(req *http.Request, body []byte, res *http.Response, raw []byte) error {
	twin := req.Clone(context.Background())
	twin.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := contract().FindRoute(twin)
	if err != nil {
		if res.StatusCode == 404 || res.StatusCode == 405 || res.StatusCode == 403 || res.StatusCode == 401 {
			return nil
		}
		return err
	}
	in := &openapi3filter.RequestValidationInput{Request: twin, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}}
	if res.StatusCode < 300 && len(body) > 0 && req.Header.Get("Content-Type") != "" {
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			return err
		}
	}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: res.StatusCode, Header: res.Header,
		Body: io.NopCloser(bytes.NewReader(raw)), Options: in.Options,
	})
}
