package shapingtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Request is one chat completion as the server got it.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte

	Model               string   `json:"model"`
	Temperature         *float64 `json:"temperature"` // nil: not sent
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	LogProbs            bool     `json:"logprobs"`
	TopLogProbs         int      `json:"top_logprobs"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Strict bool `json:"strict"`
			Schema struct {
				Required []string `json:"required"`
			} `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"` // nil: not sent
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
}

// User is the content of the last message.
func (r Request) User() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// Keys are those of the JSON object that the response format asks for.
func (r Request) Keys() []string {
	if r.ResponseFormat == nil {
		return nil
	}
	return r.ResponseFormat.JSONSchema.Schema.Required
}

// Verdict is what the model says to a request.
type Verdict struct {
	Text  string             // content
	First map[string]float64 // token → probability of the first token; nil: no log-probabilities
}

// Yes is a verdict by log-probabilities with P(yes) = p and P(no) = 1 − p.
func Yes(p float64) Verdict {
	text := "no"
	if p >= 0.5 {
		text = "yes"
	}
	return Verdict{Text: text, First: map[string]float64{"yes": p, "no": 1 - p}}
}

// Server is a fake OpenAI-compatible endpoint on a loopback port.
type Server struct {
	URL string // base, without /v1

	mu       sync.Mutex
	script   func(Request) Verdict
	faults   []Fault
	always   Fault
	requests []Request
	http     *httptest.Server
	closing  chan struct{}
}

// NewServer starts an endpoint that answers with script; it ends with the test.
func NewServer(t testing.TB, script func(Request) Verdict) *Server {
	t.Helper()
	s := &Server{script: script, closing: make(chan struct{})}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	t.Cleanup(func() {
		close(s.closing) // lets hanging requests go
		s.http.Close()
	})
	return s
}

// Inject makes the next requests fail, one fault each, in order.
func (s *Server) Inject(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Always makes every request fail that has no injected fault; "" ends it.
func (s *Server) Always(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = f
}

// Requests returns what was received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ServeHTTP answers POST …/v1/chat/completions.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	if err := json.Unmarshal(body, &in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fault := s.record(in)
	if fault != "" && fault.serve(w, r, in, s.closing) {
		return
	}
	writeJSON(w, http.StatusOK, completion(in, s.script(in), "stop"))
}

func (s *Server) record(in Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, in)
	if len(s.faults) > 0 {
		f := s.faults[0]
		s.faults = s.faults[1:]
		return f
	}
	return s.always
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that is gone is no concern of ours
}
