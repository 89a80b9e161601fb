package votes

import (
	"fmt"
	"strings"
	"sync"

	"marlpit/shaping"
)

// Limits bound what a labelling may take; 0 is any amount.
type Limits struct {
	Requests int     `json:"requests,omitempty"` // sent, further tries included
	Tokens   int     `json:"tokens,omitempty"`   // of prompts and answers
	Cost     float64 `json:"cost,omitempty"`     // in the currency of the critic's prices
}

// Budget keeps a labelling within limits. Before a request is sent, what it is
// expected to take is set aside; once it has ended, what it took counts. So
// tokens and money can be overdrawn only by what requests under way take
// beyond expectation. Its methods may be called from several goroutines.
type Budget struct {
	limits Limits

	mu       sync.Mutex
	spent    shaping.Usage
	setAside shaping.Usage
}

// NewBudget is a budget of which nothing is spent.
func NewBudget(l Limits) *Budget { return &Budget{limits: l} }

// Bounded says whether tokens or money are bounded, of which nobody knows before
// a reply how much a request takes.
func (b *Budget) Bounded() bool { return b.limits.Tokens > 0 || b.limits.Cost > 0 }

// Allow sets aside what one request is expected to take, or returns an error
// wrapping ErrBudget that says which limit it would pass.
func (b *Budget) Allow(expected shaping.Usage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	then := b.spent.Plus(b.setAside).Plus(expected)
	l := b.limits
	switch {
	case l.Requests > 0 && then.Requests > l.Requests:
		return fmt.Errorf("%w: of %d requests", ErrBudget, l.Requests)
	case l.Tokens > 0 && then.Tokens() > l.Tokens:
		return fmt.Errorf("%w: %d of %d tokens are spent, and the next request is expected to take %d", ErrBudget, b.spent.Tokens(), l.Tokens, expected.Tokens())
	case l.Cost > 0 && then.Cost > l.Cost:
		return fmt.Errorf("%w: %.4g of %.4g in money are spent, and the next request is expected to cost %.2g", ErrBudget, b.spent.Cost, l.Cost, expected.Cost)
	}
	b.setAside = b.setAside.Plus(expected)
	return nil
}

// Spent says what a request that was allowed has taken in the end.
func (b *Budget) Spent(expected, actual shaping.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.setAside = b.setAside.Minus(expected)
	b.spent = b.spent.Plus(actual)
}

// Used is what was taken so far, requests under way included.
func (b *Budget) Used() shaping.Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.spent
	out.Requests += b.setAside.Requests
	return out
}

// Left says what remains of the limits, "" where there are none.
func (b *Budget) Left() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var parts []string
	if n := b.limits.Requests; n > 0 {
		parts = append(parts, fmt.Sprintf("%d requests", max(n-b.spent.Requests, 0)))
	}
	if n := b.limits.Tokens; n > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", max(n-b.spent.Tokens(), 0)))
	}
	if n := b.limits.Cost; n > 0 {
		parts = append(parts, fmt.Sprintf("%.4g in money", max(n-b.spent.Cost, 0)))
	}
	return strings.Join(parts, ", ")
}
