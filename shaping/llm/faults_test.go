package llm_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	fake "marlpit/shaping/shapingtest"
)

// TestEveryFaultHasItsOutcome holds the table in the package's documentation.
func TestEveryFaultHasItsOutcome(t *testing.T) {
	const invalid, second, tie = shaping.Invalid, shaping.Second, shaping.Tie
	for _, c := range []struct {
		fault    fake.Fault
		ask      llm.Mode
		vote     shaping.Vote // "": an error
		reason   string       // part of the reason or of the error
		fatal    bool
		requests int
	}{
		{fake.EmptyChoices, llm.ModePair, invalid, "no choices", false, 2},
		{fake.EmptyChoices, llm.ModeFR, invalid, "no choices", false, 2},
		{fake.NullContent, llm.ModePair, invalid, "no content", false, 2},
		{fake.ReasoningOnly, llm.ModePair, invalid, "only reasoning", false, 2},
		{fake.ReasoningSays, llm.ModePair, tie, "", false, 2}, // says B to both orders
		{fake.Fenced, llm.ModePair, tie, "", false, 2},
		{fake.AfterProse, llm.ModePair, tie, "", false, 2},
		{fake.Thinking, llm.ModePair, tie, "", false, 2},
		{fake.CutOff, llm.ModePair, invalid, "cut off", false, 2},
		{fake.Waffle, llm.ModePair, invalid, "more than one answer", false, 2},
		{fake.ReasoningSays, llm.ModeFR, tie, "", false, 5}, // two samples each way
		{fake.Fenced, llm.ModeFR, tie, "", false, 5},
		{fake.Waffle, llm.ModeFR, invalid, "0 of 2 samples", false, 5},
		{fake.NullLogProb, llm.ModeFR, invalid, "log-probability", false, 2},
		{fake.BadLogProbs, llm.ModeFR, invalid, "log-probability", false, 2},
		{fake.NoTemperature, llm.ModeFR, second, "", false, 3},
		{fake.NoLogProbs, llm.ModeAuto, second, "", false, 4},
		{fake.NewTokenLimit, llm.ModeFR, second, "", false, 3},
		{fake.NoFormat, llm.ModeScore, second, "", false, 3}, // refused by name once, then asked in words
		{fake.ReasonsFirst, llm.ModeFR, tie, "", false, 5},
		{fake.ReasonsFirst, llm.ModeAuto, tie, "", false, 3},
		{fake.NoUsage, llm.ModeFR, tie, "", false, 2},
		{fake.EmptyChoices, llm.ModeScore, invalid, "no choices", false, 2},
		{fake.NullContent, llm.ModeScore, invalid, "no content", false, 2},
		{fake.ReasoningOnly, llm.ModeScore, invalid, "only reasoning", false, 2},
		{fake.ReasoningSays, llm.ModeScore, tie, "", false, 2}, // B is better in both orders
		{fake.Fenced, llm.ModeScore, tie, "", false, 2},
		{fake.AfterProse, llm.ModeScore, tie, "", false, 2},
		{fake.Thinking, llm.ModeScore, tie, "", false, 2},
		{fake.CutOff, llm.ModeScore, invalid, "cut off", false, 2},
		{fake.Waffle, llm.ModeScore, invalid, "no readable answer", false, 2},
		{fake.NumberNaN, llm.ModeScore, invalid, "no readable answer", false, 2},
		{fake.NumberInf, llm.ModeScore, invalid, "no readable answer", false, 2},
		{fake.NumberHuge, llm.ModeScore, invalid, "1e9 is not from 0 to 10", false, 2},
		{fake.NumberText, llm.ModeScore, invalid, `"0.5" is no number`, false, 2},
		{fake.NumberNull, llm.ModeScore, invalid, "null is no number", false, 2},
		{fake.NumberMissing, llm.ModeScore, invalid, `no number for "A"`, false, 2},
		{fake.NumberExtra, llm.ModeScore, invalid, `"agent_99", which was not asked about`, false, 2},
		{fake.NumberTwice, llm.ModeScore, invalid, `"A" stands there twice`, false, 2},
		{fake.NumberList, llm.ModeScore, invalid, "no readable answer", false, 2},
		{fake.NumberTwice, llm.ModeAll, invalid, `"agent_0" stands there twice`, false, 2},
		{fake.NumberText, llm.ModeAll, invalid, `"0.5" is no number`, false, 2},
		{fake.NoFormat, llm.ModeAll, second, "", false, 3},
		{fake.Fenced, llm.ModeAll, tie, "", false, 2},
		{fake.Unavailable, llm.ModePair, "", "status 503", false, 3},
		{fake.ServerError, llm.ModeFR, "", "status 500", false, 3},
		{fake.ErrorIn200, llm.ModeFR, "", "overloaded", false, 3},
		{fake.Hang, llm.ModeFR, "", "no reply within", false, 3},
		{fake.NotJSON, llm.ModeFR, "", "no chat completion", false, 3},
		{fake.HalfReply, llm.ModeFR, "", "EOF", false, 3},
		{fake.Huge, llm.ModeFR, "", "too large: more than 4194304 bytes", false, 1},
		{fake.RateLimitedDay, llm.ModeFR, "", "asks to wait 24h", true, 1},
		{fake.QuotaUsedUp, llm.ModeFR, "", "quota", true, 1},
		{fake.Unauthorized, llm.ModeFR, "", "status 401", true, 1},
		{fake.Redirect, llm.ModeFR, "", "redirects", true, 1},
	} {
		t.Run(string(c.fault)+" "+string(c.ask), func(t *testing.T) {
			s := fake.NewServer(t, likes(0.9, 0.1))
			s.Always(c.fault)
			a, err := critic(t, s, func(cfg *llm.Config) {
				cfg.Ask, cfg.Samples, cfg.Key = c.ask, 2, "sk-secret-key"
				if c.fault != fake.Hang { // a busy machine is none of the faults
					cfg.Timeout = 10 * time.Second
				}
			}).Ask(context.Background(), question)
			assert.Len(t, s.Requests(), c.requests)
			if c.vote == "" {
				var e *llm.Error
				require.ErrorAs(t, err, &e)
				assert.Contains(t, err.Error(), c.reason)
				assert.Equal(t, c.fatal, e.Fatal())
				assert.NotContains(t, err.Error(), "secret")
				assert.Zero(t, a.Vote)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.vote, a.Vote)
			assert.Contains(t, a.Reason, c.reason)
			assert.Equal(t, c.vote == invalid, a.Reason != "")
		})
	}
}

func TestTransientFaultsAreTriedAgain(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	s.Inject(fake.ServerError, fake.ServerError, "", fake.Hang, fake.HalfReply)
	a, err := critic(t, s, nil).Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote)
	assert.Len(t, s.Requests(), 6)
}

func TestRetryAfterIsHonoured(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	s.Inject(fake.RateLimited)
	start := time.Now()
	a, err := critic(t, s, nil).Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote)
	assert.GreaterOrEqual(t, time.Since(start), time.Second)
}

func TestCancelEndsAHangAtOnce(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	s.Always(fake.Hang)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := critic(t, s, func(c *llm.Config) { c.Timeout = time.Minute }).Ask(ctx, question)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(start), 30*time.Second)
}

func TestNobodyListens(t *testing.T) {
	c, err := llm.New(llm.Config{BaseURL: "http://127.0.0.1:1", Model: "m", Retries: 1, Backoff: time.Millisecond})
	require.NoError(t, err)
	_, err = c.Ask(context.Background(), question)
	require.ErrorContains(t, err, "refused")
	require.ErrorContains(t, err, "tried 2 times")
}

func TestBudgetStopsBeforeSending(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	m := &meter{left: 3}
	c := critic(t, s, func(c *llm.Config) { c.Meter, c.PriceIn, c.PriceOut = m, 2, 10 })
	_, err := c.Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, 82, m.spent.Tokens(), "what the replies say, not what was expected")
	assert.InDelta(t, (80*2+2*10)/1e6, m.spent.Cost, 1e-12)
	_, err = c.Ask(context.Background(), question)
	require.ErrorIs(t, err, errSpent)
	assert.Len(t, s.Requests(), 3)
	assert.Equal(t, 3, m.spent.Requests)
}

var errSpent = errors.New("spent")

// meter allows some requests.
type meter struct {
	left  int
	spent shaping.Usage
}

func (m *meter) Allow(shaping.Usage) error {
	if m.left == 0 {
		return errSpent
	}
	m.left--
	return nil
}

func (m *meter) Spent(_, actual shaping.Usage) { m.spent = m.spent.Plus(actual) }

func TestKeyTravelsInItsHeaderOnly(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("MARLPIT_API_KEY", "sk-secret-key")
	require.Equal(t, "sk-secret-key", llm.KeyFromEnv())
	c := critic(t, s, func(c *llm.Config) { c.Key = llm.KeyFromEnv() })
	a, err := c.Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, "Bearer sk-secret-key", s.Requests()[0].Header.Get("Authorization"))
	assert.NotContains(t, string(a.Requests[0].Body)+string(a.Requests[0].Reply)+c.Name(), "secret")
	assert.Equal(t, http.StatusOK, a.Requests[0].Status)
}

// answering is a critic of an endpoint that always says the same.
func answering(t *testing.T, status int, body string, change func(*llm.Config)) *llm.Critic {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	cfg := llm.Config{BaseURL: s.URL, Model: "m", Key: "sk-secret-key", Backoff: time.Millisecond, MaxWait: 2 * time.Millisecond}
	change(&cfg)
	c, err := llm.New(cfg)
	require.NoError(t, err)
	return c
}

func TestWhatAnEndpointEchoesIsFitForATerminal(t *testing.T) {
	var told []string
	body := `{"error":{"message":"no such key: sk-secret-key \u001b[2J` + strings.Repeat("z", 1<<20) + `"}}`
	c := answering(t, http.StatusInternalServerError, body, func(cfg *llm.Config) {
		cfg.Retries, cfg.BreakAfter, cfg.BreakProbes, cfg.MaxWait = 20, 2, 1, 50*time.Millisecond
		cfg.Tell = func(what string) { told = append(told, what) }
	})
	_, err := c.Ask(context.Background(), question)
	require.ErrorContains(t, err, "the endpoint is down")
	require.NotEmpty(t, told, "the breaker tells of its pauses")
	for _, words := range append(told, err.Error()) {
		assert.Contains(t, words, "no such key: [key]")
		assert.NotContains(t, words, "secret")
		assert.NotContains(t, words, "\x1b")
		assert.Less(t, len(words), 800)
	}
}

func TestAStatusIsSaidOnce(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"slow down"}}`: "llm: status 429: slow down",
		"too fast":                          "llm: status 429: too fast",
		"":                                  "llm: status 429: no reason is given",
	} {
		c := answering(t, http.StatusTooManyRequests, body, func(cfg *llm.Config) { cfg.Retries = -1 })
		_, err := c.Ask(context.Background(), question)
		require.EqualError(t, err, want)
	}
}

func TestABillThatCannotBeIsEstimated(t *testing.T) {
	for bill, want := range map[string]int{
		"50": 50, "50.0": 50, "49.5": 50, `"50"`: 0, "-3": 0, "null": 0, "9223372036854775807": 0, "1e300": 0, "[1]": 0,
	} {
		m := &meter{left: 2}
		c := answering(t, http.StatusOK, `{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":`+bill+`,"completion_tokens":1}}`,
			func(cfg *llm.Config) { cfg.Ask, cfg.Meter, cfg.TPM = llm.ModePair, m, 1e6 })
		a, err := c.Ask(context.Background(), question)
		require.NoError(t, err, bill)
		assert.Equal(t, shaping.Tie, a.Vote, bill)
		assert.Equal(t, 2*want, m.spent.PromptTokens, bill)
		assert.Equal(t, 2, m.spent.CompletionTokens, bill)
	}
}
