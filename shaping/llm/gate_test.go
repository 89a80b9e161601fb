package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
)

func gated(t *testing.T, cfg Config) *gate {
	t.Helper()
	cfg.BaseURL, cfg.Model = "http://x", "m"
	cfg, err := cfg.complete()
	require.NoError(t, err)
	return newGate(cfg)
}

var (
	fine = outcome{sent: true, status: http.StatusOK}
	down = outcome{sent: true, status: http.StatusInternalServerError, again: true, err: errors.New("out of memory")}
)

// The clock of these tests is synctest's: minutes pass at once.
func TestRequestsAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, start := gated(t, Config{RPM: 120}), time.Now()
		for range 241 {
			p, err := g.enter(t.Context(), 1000)
			require.NoError(t, err)
			g.leave(p, fine)
		}
		assert.InDelta(t, 120, time.Since(start).Seconds(), 0.1, "two a second")
	})
}

func TestTokensAMinute(t *testing.T) {
	for name, used := range map[string]int{"as expected": 100, "twice": 200, "half": 50} {
		synctest.Test(t, func(t *testing.T) {
			g, start := gated(t, Config{TPM: 6000}), time.Now()
			const n = 300
			for range n {
				p, err := g.enter(t.Context(), 100)
				require.NoError(t, err)
				g.correct(100, used)
				g.leave(p, fine)
			}
			// 100 tokens a second, after the first six seconds' worth.
			assert.InDelta(t, float64(n*used)/100, time.Since(start).Seconds(), 9, name)
		})
	}
	synctest.Test(t, func(t *testing.T) { // one request may be more than what is held ready
		g, start := gated(t, Config{TPM: 600}), time.Now()
		_, err := g.enter(t.Context(), 660)
		require.NoError(t, err)
		assert.InDelta(t, 60, time.Since(start).Seconds(), 1)
	})
}

func TestAPauseHoldsEverybodyBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, start := gated(t, Config{}), time.Now()
		p, err := g.enter(t.Context(), 1)
		require.NoError(t, err)
		var workers sync.WaitGroup
		g.leave(p, outcome{sent: true, status: http.StatusTooManyRequests, again: true, retryAfter: 20 * time.Second, err: errors.New("slow down")})
		for range 8 {
			workers.Go(func() {
				p, err := g.enter(t.Context(), 1)
				assert.NoError(t, err)
				assert.InDelta(t, 20.5, time.Since(start).Seconds(), 0.6)
				g.leave(p, fine)
			})
		}
		workers.Wait()
	})
}

func TestAPauseHoldsBackWhoWaitsForTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, start := gated(t, Config{RPM: 6}), time.Now()
		first, err := g.enter(t.Context(), 1)
		require.NoError(t, err)
		time.AfterFunc(5*time.Second, func() {
			g.leave(first, outcome{sent: true, status: http.StatusTooManyRequests, again: true, retryAfter: 30 * time.Second, err: errors.New("slow down")})
		})
		_, err = g.enter(t.Context(), 1) // its turn would be after ten seconds
		require.NoError(t, err)
		assert.InDelta(t, 36, time.Since(start).Seconds(), 1.1)
	})
}

func TestPausesAreToldOfNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		g := gated(t, Config{Tell: func(s string) { told = append(told, s) }})
		slow := func(d time.Duration) {
			p, err := g.enter(t.Context(), 1)
			require.NoError(t, err)
			g.leave(p, outcome{sent: true, status: http.StatusTooManyRequests, again: true, retryAfter: d, err: errors.New("slow down")})
		}
		for range 40 {
			slow(time.Second)
		}
		require.Len(t, told, 2, "in forty seconds")
		assert.Contains(t, told[0], "the endpoint asks to wait: nothing is sent for 1")
		slow(40 * time.Second)
		require.Len(t, told, 3, "a long one is told of in any case")
		assert.Contains(t, told[2], "nothing is sent for 4")
	})
}

func TestTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		g := gated(t, Config{BreakAfter: 4, BreakPause: 10 * time.Second, BreakProbes: 2, Tell: func(s string) { told = append(told, s) }})
		var sent atomic.Int64
		broken := atomic.Bool{}
		broken.Store(true)
		work := func() error {
			p, err := g.enter(t.Context(), 1)
			if err != nil {
				return err
			}
			sent.Add(1)
			if broken.Load() {
				g.leave(p, down)
			} else {
				g.leave(p, fine)
			}
			return nil
		}
		for range 3 {
			require.NoError(t, work())
		}
		broken.Store(false)
		require.NoError(t, work(), "a success in between starts the count anew")
		broken.Store(true)
		start := time.Now()
		for range 4 {
			require.NoError(t, work())
		}
		assert.Zero(t, time.Since(start))

		// Open: all wait, one tries.
		sent.Store(0)
		var workers sync.WaitGroup
		for range 6 {
			workers.Go(func() { _ = work() })
		}
		time.Sleep(9 * time.Second)
		assert.Zero(t, sent.Load())
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 1, sent.Load(), "half-open")
		broken.Store(false)
		workers.Wait()
		assert.EqualValues(t, 6, sent.Load())
		assert.InDelta(t, 10+20, time.Since(start).Seconds(), 0.1, "the second pause is twice as long, the second try closes it")

		// Down for good: two tries, and everybody is told.
		broken.Store(true)
		for range 4 {
			require.NoError(t, work())
		}
		start = time.Now()
		sent.Store(0)
		failed := atomic.Int64{}
		for range 6 {
			workers.Go(func() {
				var e *Error
				if err := work(); errors.As(err, &e) {
					assert.True(t, e.Fatal())
					assert.ErrorContains(t, err, "down: ")
					assert.ErrorContains(t, err, "out of memory")
					failed.Add(1)
				}
			})
		}
		workers.Wait()
		assert.EqualValues(t, 2, sent.Load())
		assert.EqualValues(t, 4, failed.Load())
		assert.InDelta(t, 30, time.Since(start).Seconds(), 0.1)
		assert.Equal(t, "4 failures in a row, the last: status 500: out of memory; nothing is sent for 10s", told[0])
		assert.Len(t, told, 2+2, "once for each pause")

		// A server goes on asking now and then.
		time.Sleep(time.Minute)
		broken.Store(false)
		require.NoError(t, work())
		require.NoError(t, work())
	})
}

func TestAnEndpointThatWasNeverReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, start := gated(t, Config{}), time.Now()
		for range 10 {
			p, err := g.enter(t.Context(), 1)
			require.NoError(t, err)
			g.leave(p, outcome{sent: true, again: true, err: errors.New("connection refused")})
		}
		_, err := g.enter(t.Context(), 1)
		require.ErrorContains(t, err, "down: 10 failures in a row, the last: connection refused")
		assert.Zero(t, time.Since(start), "nobody waits for a wrong address")
	})
}

func TestStopEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		g := gated(t, Config{Stop: stop, RPM: 1})
		_, err := g.enter(t.Context(), 1)
		require.NoError(t, err)
		time.AfterFunc(5*time.Second, func() { close(stop) })
		start := time.Now()
		_, err = g.enter(t.Context(), 1)
		require.ErrorIs(t, err, ErrStopped)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 5*time.Second, time.Since(start))
	})
}

func TestBackoffGrowsWithJitterAndABound(t *testing.T) {
	cfg, err := Config{BaseURL: "http://x", Model: "m", Backoff: time.Second, MaxWait: 10 * time.Second}.complete()
	require.NoError(t, err)
	c := newClient(cfg)
	seen := map[time.Duration]bool{}
	for tries := 1; tries < 40; tries++ {
		d := c.backoff(tries)
		seen[d] = true
		want := min(float64(time.Second)*float64(int64(1)<<min(tries-1, 20)), float64(10*time.Second))
		assert.GreaterOrEqual(t, float64(d), 0.75*want)
		assert.LessOrEqual(t, float64(d), min(1.25*want, float64(10*time.Second)))
	}
	assert.Greater(t, len(seen), 3)
}

func TestEstimatesLearn(t *testing.T) {
	var e estimator
	in := call{system: "1234", user: "12345678", maxTokens: 1000}
	assert.Equal(t, []int{1, 3 + formTokens, shortAnswer}, []int{e.estimate(in).Requests, e.estimate(in).PromptTokens, e.estimate(in).CompletionTokens})
	for range enoughToBelieve {
		e.learn(in, 24, 300)
	}
	assert.Equal(t, []int{24, 300}, []int{e.estimate(in).PromptTokens, e.estimate(in).CompletionTokens})
	in.logProbs, in.maxTokens = true, 4
	assert.Equal(t, 4, e.estimate(in).CompletionTokens, "another kind of answer")
}

// oneReply is a store that holds one reply to everything, under one key.
type oneReply struct{ key, body string }

func (o oneReply) Find(_ context.Context, key string) (shaping.Request, bool, error) {
	return shaping.Request{Key: key, Status: http.StatusOK, Reply: []byte(o.body)}, key == o.key, nil
}

func (oneReply) Keep(context.Context, shaping.Question, shaping.Request, bool) error { return nil }

// What was paid for under the keys of version 1 of the vote file is found.
func TestRepliesUnderOldKeysAreFound(t *testing.T) {
	q := shaping.Question{Forward: "f", Backward: "b", Key: 7, Query: 2}
	in := frCall(q, "forward")
	in.maxTokens = 4
	cfg, err := Config{Model: "m", Offline: true}.complete()
	require.NoError(t, err)
	c := newClient(cfg)
	_, err = c.do(t.Context(), q, in)
	require.ErrorIs(t, err, ErrOffline)
	sum := sha256.New()
	for _, s := range []string{"m", promptFR.Hash, "text", in.system, in.user, "forward", "0/7/2/0"} {
		_, _ = fmt.Fprintf(sum, "%d:%s;", len(s), s)
	}
	c.cfg.Store = oneReply{hex.EncodeToString(sum.Sum(nil)), `{"choices":[{"message":{"content":"yes"}}]}`}
	r, err := c.do(t.Context(), q, in)
	require.NoError(t, err)
	assert.Equal(t, "yes", r.text)
}
