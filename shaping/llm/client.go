package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"
	"golang.org/x/sync/singleflight"

	"marlpit/shaping"
)

// client makes exchanges with one endpoint and learns what it doesn't take.
type client struct {
	cfg    Config
	api    *openai.Client
	caps   capabilities
	flight singleflight.Group // equal requests under way at once are sent once
	gate   *gate
	tokens estimator
	pilot  chan struct{} // holds one element while a request goes ahead of the others
}

// Alternatives asked for at each token: OpenAI's limit, and that of others.
const (
	manyTopLogProbs = 20
	fewTopLogProbs  = 5
)

// call is one request to make.
type call struct {
	prompt      Prompt
	system      string
	user        string
	logProbs    bool
	numbers     []string                             // keys of the JSON object of numbers asked for; nil: something else is
	format      *openai.ChatCompletionResponseFormat // of another JSON object; nil: words are asked for
	team        bool                                 // serves all agents of a transition
	maxTokens   int
	temperature float32
	side        string // "forward", "backward"
	sample      int
}

// kind says in what form the answer is wanted.
func (in call) kind() string {
	switch {
	case in.logProbs:
		return "logprobs"
	case in.numbers != nil, in.format != nil:
		return "json"
	}
	return "text"
}

func newClient(cfg Config) *client {
	conf := openai.DefaultConfig(cfg.Key)
	conf.BaseURL = cfg.BaseURL
	next := cfg.Transport
	if next == nil {
		next = http.DefaultTransport.(*http.Transport).Clone()
	}
	conf.HTTPClient = &http.Client{
		Transport: &transport{next: next, limit: cfg.MaxReply},
		// A redirected POST would carry prompt and key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c := &client{cfg: cfg, api: openai.NewClientWithConfig(conf), gate: newGate(cfg), pilot: make(chan struct{}, 1)}
	c.caps.byName(cfg.Model)
	return c
}

// do gets the reply to a call: from the store, else from the endpoint.
func (c *client) do(ctx context.Context, q shaping.Question, in call) (reply, error) {
	if c.cfg.Temperature != nil {
		in.temperature = *c.cfg.Temperature
	}
	key := c.replayKey(q, in)
	for {
		got, err, joined := c.flight.Do(key, func() (any, error) { return c.fetch(ctx, q, key, in) })
		if joined && ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) && !errors.Is(err, ErrStopped) && !isTimeout(err) {
			continue // whoever was first gave up; this caller did not
		}
		if err != nil {
			return reply{}, err
		}
		return got.(reply), nil
	}
}

func (c *client) fetch(ctx context.Context, q shaping.Question, key string, in call) (reply, error) {
	if r, ok, err := c.stored(ctx, q, key, in); err != nil {
		return reply{}, err
	} else if ok {
		return decode(r)
	}
	if c.cfg.Offline {
		return reply{}, ErrOffline
	}
	return c.ask(ctx, q, key, in)
}

// stored looks a call's reply up.
func (c *client) stored(ctx context.Context, q shaping.Question, key string, in call) (shaping.Request, bool, error) {
	if c.cfg.Store == nil {
		return shaping.Request{}, false, nil
	}
	for _, k := range c.keys(key, q, in) {
		r, ok, err := c.cfg.Store.Find(ctx, k)
		if err != nil || ok {
			return r, ok, err
		}
	}
	return shaping.Request{}, false, nil
}

// ask calls the endpoint until it has a reply or the tries are used up.
func (c *client) ask(ctx context.Context, q shaping.Question, key string, in call) (reply, error) {
	for tries := 1; ; tries++ {
		ahead, err := c.goAhead(ctx, in)
		if err != nil {
			return reply{}, err
		}
		expected := c.expect(in)
		pass, err := c.gate.enter(ctx, expected.Tokens())
		if err == nil {
			err = c.allow(expected)
		}
		if err != nil {
			c.gate.leave(pass, outcome{err: err})
			ahead()
			return reply{}, err
		}
		r, out := c.once(ctx, in)
		if ctx.Err() != nil {
			out.again = false // broken off by the caller: no fault of the endpoint's
		}
		c.gate.leave(pass, out)
		c.settle(expected, in, &r, out)
		ahead()
		if out.sent && c.cfg.Store != nil {
			// What was paid for is kept even where the caller has given up.
			r.request.Key = key
			if err := c.cfg.Store.Keep(context.WithoutCancel(ctx), q, r.request, out.err == nil); err != nil {
				return reply{}, err
			}
		}
		switch {
		case out.err == nil:
			return r, nil
		case ctx.Err() != nil:
			return reply{}, ctx.Err()
		case out.adapted:
			tries--
			continue
		case out.retryAfter > c.cfg.MaxWait && out.again:
			out.err = fmt.Errorf("the endpoint asks to wait %v, more than %v", out.retryAfter.Round(time.Second), c.cfg.MaxWait)
			out.fatal = true
			return reply{}, c.failure(out, tries)
		case !out.again || tries > c.cfg.Retries:
			return reply{}, c.failure(out, tries)
		case out.retryAfter == 0: // else the gate holds everybody back
			if err := c.gate.sleep(ctx, c.backoff(tries)); err != nil {
				return reply{}, err
			}
		}
	}
}

// backoff doubles with every try; the jitter keeps workers apart.
func (c *client) backoff(tries int) time.Duration {
	d := float64(c.cfg.Backoff) * math.Pow(2, float64(tries-1)) * (0.75 + rand.Float64()/2)
	return time.Duration(min(d, float64(c.cfg.MaxWait)))
}

func (c *client) failure(out outcome, tries int) error {
	var known *Error
	if errors.As(out.err, &known) {
		return out.err
	}
	return &Error{Status: out.status, Message: out.err.Error(), Tries: tries, fatal: out.fatal, Err: out.err}
}

// redact cuts the API key out of what an endpoint echoes.
func (c *client) redact(s string) string { return string(c.redactBytes([]byte(s))) }

func (c *client) redactBytes(b []byte) []byte {
	if c.cfg.Key == "" || !bytes.Contains(b, []byte(c.cfg.Key)) {
		return b
	}
	return bytes.ReplaceAll(b, []byte(c.cfg.Key), []byte("[key]"))
}

// once makes one HTTP request.
func (c *client) once(parent context.Context, in call) (reply, outcome) {
	e := &exchange{}
	ctx, cancel := context.WithTimeout(withExchange(parent, e), c.cfg.Timeout)
	defer cancel()
	request := c.request(in)
	_, err := c.api.CreateChatCompletion(ctx, request)
	r := reply{request: shaping.Request{
		Prompt: in.prompt.Hash, Body: e.body, Reply: c.redactBytes(e.reply), Status: e.status,
	}}
	out := outcome{sent: e.sent, written: e.written.Load(), status: e.status, retryAfter: e.retryAfter}
	if r.request.Status != http.StatusTooManyRequests && r.request.Status != http.StatusServiceUnavailable {
		out.retryAfter = 0 // it means something only there
	}
	switch {
	case e.status == http.StatusOK && e.reply != nil:
		// The library's own decoding forgives too much (an error body is a
		// reply without choices): the recorded bytes are read again.
		r, err = decode(r.request)
		if err == nil {
			return r, out
		}
		out.err = err
		c.classifyBody(&out)
	case err == nil:
		out.err = errors.New("no reply")
	default:
		out.err = err
		c.classify(&out, request)
	}
	out.err = c.tell(out.err)
	return r, out
}

// request builds what is sent, without what the endpoint doesn't take.
func (c *client) request(in call) openai.ChatCompletionRequest {
	req := openai.ChatCompletionRequest{
		Model: c.cfg.Model,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: in.system},
			{Role: openai.ChatMessageRoleUser, Content: in.user},
		},
	}
	if in.numbers != nil && !c.caps.noFormat.Load() {
		req.ResponseFormat = numbersFormat(in.numbers)
	}
	if in.format != nil && !c.caps.noFormat.Load() {
		req.ResponseFormat = in.format
	}
	if in.logProbs && !c.caps.noLogProbs.Load() {
		req.LogProbs, req.TopLogProbs = true, manyTopLogProbs
		if c.caps.fewTopLogProbs.Load() {
			req.TopLogProbs = fewTopLogProbs
		}
	}
	if !c.caps.noTemperature.Load() {
		req.Temperature = max(in.temperature, math.SmallestNonzeroFloat32)
	}
	if c.caps.newTokenLimit.Load() {
		req.MaxCompletionTokens = in.maxTokens
	} else {
		req.MaxTokens = in.maxTokens
	}
	return req
}
