package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	fake "marlpit/shaping/shapingtest"
	"marlpit/shaping/votes"
)

// 32 workers, and replies that take twenty times what one would expect: without
// a first one to learn from, 32 would be under way at once.
func TestManyWorkersKeepToABudgetOfTokens(t *testing.T) {
	const took, budget = 2000 + 500, 12000
	var sent, under, most atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sent.Add(1)
		if n := under.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer under.Add(-1)
		time.Sleep(20 * time.Millisecond)
		_, _ = fmt.Fprint(w, `{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":2000,"completion_tokens":500}}`)
	}))
	t.Cleanup(server.Close)
	b := votes.NewBudget(votes.Limits{Tokens: budget})
	c, err := llm.New(llm.Config{BaseURL: server.URL, Model: "m", Ask: llm.ModePair, Meter: b})
	require.NoError(t, err)
	var workers sync.WaitGroup
	var refused atomic.Int64
	for i := range 32 {
		workers.Go(func() {
			_, err := c.Ask(context.Background(), shaping.Question{Key: uint64(i), Forward: fmt.Sprintf("forwards %04d", i), Backward: fmt.Sprintf("backwards %03d", i)})
			if err != nil {
				assert.ErrorIs(t, err, votes.ErrBudget)
				refused.Add(1)
			}
		})
	}
	workers.Wait()
	used := b.Used()
	assert.EqualValues(t, sent.Load(), used.Requests)
	assert.LessOrEqual(t, used.Tokens(), budget)
	assert.Greater(t, used.Tokens(), budget-2*took, "and what it allows is used")
	assert.Positive(t, refused.Load())
	assert.Greater(t, most.Load(), int64(1), "only the first goes alone")
}

// What broke off after it was sent may have been paid for: it counts as what it
// was expected to take, here and on disk.
func TestWhatBreaksOffIsCharged(t *testing.T) {
	for fault, charged := range map[fake.Fault]bool{
		fake.Hang: true, fake.HalfReply: true, fake.NotJSON: true, fake.ServerError: false, fake.ErrorIn200: false, fake.Unauthorized: false,
	} {
		s := fake.NewServer(t, likes(0.9, 0.2))
		s.Always(fault)
		b, kept := votes.NewBudget(votes.Limits{Tokens: 1000}), &memory{}
		c := critic(t, s, func(c *llm.Config) {
			c.Meter, c.Store, c.PriceIn, c.Currency, c.Retries, c.Timeout = b, kept, 1e6, "EUR", 1, 50*time.Millisecond
		})
		_, err := c.Ask(context.Background(), question)
		require.Error(t, err, fault)
		used := b.Used()
		assert.Equal(t, len(s.Requests()), used.Requests, fault)
		assert.Equal(t, charged, used.PromptTokens >= 20*used.Requests, "%s: %+v", fault, used)
		assert.Equal(t, charged, used.Cost > 0, fault)
		sum := 0.0
		for _, r := range kept.unanswered {
			sum += r.Cost
		}
		assert.InDelta(t, used.Cost, sum, 1e-9, fault)
	}
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "") }))
	refusing.Close()
	b := votes.NewBudget(votes.Limits{Tokens: 1000})
	c, err := llm.New(llm.Config{BaseURL: refusing.URL, Model: "m", Meter: b, Retries: -1})
	require.NoError(t, err)
	_, err = c.Ask(context.Background(), question)
	require.Error(t, err)
	assert.Zero(t, b.Used().Tokens(), "nobody was there")
}
