package llm

import (
	"context"
	"net/http"
	"sync"

	"marlpit/shaping"
)

// Meter bounds what is spent. Allow is called before every request is sent,
// and an error stops it; Spent says what a request that was allowed has taken
// in the end. votes.Budget is one. One that has a method Bounded() bool says by
// it whether tokens or money are bounded.
type Meter interface {
	Allow(expected shaping.Usage) error
	Spent(expected, actual shaping.Usage)
}

// What a request is expected to take before any reply has told: a token for
// every four bytes of the prompt and a few for its form, and a short answer.
const (
	bytesPerToken   = 4
	formTokens      = 8
	shortAnswer     = 16
	logProbsLonger  = 4
	enoughToBelieve = 3 // replies
)

// estimator learns from the usage of replies what the next will take.
type estimator struct {
	mu      sync.Mutex
	bytes   int // of prompts whose tokens are known
	prompt  int // those tokens
	answers map[string]*mean
}

type mean struct {
	n, sum int
	failed int // requests that broke off
}

// of is the mean of a kind of calls; the caller holds the lock.
func (e *estimator) of(in call) *mean {
	if e.answers == nil {
		e.answers = map[string]*mean{}
	}
	m := e.answers[in.kind()]
	if m == nil {
		m = &mean{}
		e.answers[in.kind()] = m
	}
	return m
}

// unknown says whether nobody can tell yet what a call takes: no reply has, and
// it isn't in vain to wait for one.
func (e *estimator) unknown(in call) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	m := e.of(in)
	return m.n == 0 && m.failed < enoughToBelieve
}

func (e *estimator) fail(in call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of(in).failed++
}

// estimate is the expected usage of a call.
func (e *estimator) estimate(in call) shaping.Usage {
	e.mu.Lock()
	defer e.mu.Unlock()
	size := len(in.system) + len(in.user)
	u := shaping.Usage{Requests: 1, PromptTokens: (size+bytesPerToken-1)/bytesPerToken + formTokens, CompletionTokens: min(shortAnswer, in.maxTokens)}
	if e.bytes > 0 {
		u.PromptTokens = (size*e.prompt + e.bytes - 1) / e.bytes
	}
	if m := e.of(in); m.n > 0 {
		u.CompletionTokens = max((m.sum+m.n-1)/m.n, u.CompletionTokens)
		if m.n >= enoughToBelieve {
			u.CompletionTokens = (m.sum + m.n - 1) / m.n
		}
	}
	return u
}

// learn takes in what a call has taken.
func (e *estimator) learn(in call, prompt, completion int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if prompt > 0 {
		e.bytes += len(in.system) + len(in.user)
		e.prompt += prompt
	}
	m := e.of(in)
	m.n++
	m.sum += completion
}

// expect is what a call is expected to take.
func (c *client) expect(in call) shaping.Usage { return c.priced(c.tokens.estimate(in)) }

func (c *client) priced(u shaping.Usage) shaping.Usage {
	u.Cost = (float64(u.PromptTokens)*c.cfg.PriceIn + float64(u.CompletionTokens)*c.cfg.PriceOut) / 1e6
	return u
}

func (c *client) allow(expected shaping.Usage) error {
	if c.cfg.Meter == nil {
		return nil
	}
	return c.cfg.Meter.Allow(expected)
}

// goAhead holds a request back, where tokens or money are bounded, until one of
// its kind has told what it takes: of those under way, by many workers, all
// might take many times what was set aside for them. done lets the next go.
func (c *client) goAhead(ctx context.Context, in call) (done func(), err error) {
	m, ok := c.cfg.Meter.(interface{ Bounded() bool })
	if !ok || !m.Bounded() || !c.tokens.unknown(in) {
		return func() {}, nil
	}
	select {
	case c.pilot <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.cfg.Stop:
		return nil, ErrStopped
	}
	if !c.tokens.unknown(in) { // while it waited
		<-c.pilot
		return func() {}, nil
	}
	return func() { <-c.pilot }, nil
}

// settle counts what an exchange has taken, and writes it into the request.
// Tokens that an endpoint doesn't report are estimated from the lengths; what
// broke off after it was sent has taken what was expected, as far as one can know.
func (c *client) settle(expected shaping.Usage, in call, r *reply, out outcome) {
	var actual shaping.Usage
	if out.sent {
		actual.Requests = 1
	}
	q := &r.request
	switch {
	case out.err == nil && r.request.Status == http.StatusOK:
		if q.PromptTokens > 0 || q.CompletionTokens > 0 {
			c.tokens.learn(in, q.PromptTokens, q.CompletionTokens)
		} else {
			q.PromptTokens = expected.PromptTokens
			q.CompletionTokens = (len(r.text) + len(r.reasoning) + bytesPerToken - 1) / bytesPerToken
			c.tokens.learn(in, 0, q.CompletionTokens)
		}
	case out.billed():
		q.PromptTokens, q.CompletionTokens = expected.PromptTokens, expected.CompletionTokens
		c.tokens.fail(in)
	}
	actual.PromptTokens, actual.CompletionTokens = q.PromptTokens, q.CompletionTokens
	actual = c.priced(actual)
	if actual.Tokens() > 0 {
		q.Cost, q.Currency = actual.Cost, c.cfg.Currency
	}
	c.gate.correct(expected.Tokens(), actual.Tokens())
	if c.cfg.Meter != nil {
		c.cfg.Meter.Spent(expected, actual)
	}
}
