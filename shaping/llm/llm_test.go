package llm_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	fake "marlpit/shaping/shapingtest"
)

var question = shaping.Question{Forward: "five, now four", Backward: "four, now five", Truth: math.NaN(), Key: 9, Pair: 3, Agent: "agent_0",
	Team: []shaping.Told{{Agent: "agent_0", Forward: "five, now four", Backward: "four, now five"}, {Agent: "agent_1", Forward: "stood", Backward: "still stood"}}}

// likes says yes with p for the forward words and with q for the backward ones;
// shown as a pair, it takes the forward words where p > q.
func likes(p, q float64) func(fake.Request) fake.Verdict {
	return func(r fake.Request) fake.Verdict {
		user := r.User()
		if strings.Contains(user, "yes or no") {
			if strings.Contains(user, question.Forward) {
				return fake.Yes(p)
			}
			return fake.Yes(q)
		}
		if strings.Contains(user, "agent_0:") { // all agents
			if strings.Contains(user, question.Forward) {
				return fake.Verdict{Text: fmt.Sprintf(`{"agent_0": %v, "agent_1": 5}`, 10*p)}
			}
			return fake.Verdict{Text: fmt.Sprintf(`{"agent_0": %v, "agent_1": 5}`, 10*q)}
		}
		forwardIsA := strings.Index(user, question.Forward) < strings.Index(user, question.Backward)
		if strings.Contains(user, "such as {") { // scores
			if forwardIsA {
				return fake.Verdict{Text: fmt.Sprintf(`{"A": %v, "B": %v}`, 10*p, 10*q)}
			}
			return fake.Verdict{Text: fmt.Sprintf(`{"A": %v, "B": %v}`, 10*q, 10*p)}
		}
		if forwardIsA == (p > q) {
			return fake.Verdict{Text: "A"}
		}
		return fake.Verdict{Text: "B"}
	}
}

func critic(t *testing.T, s *fake.Server, change func(*llm.Config)) *llm.Critic {
	t.Helper()
	cfg := llm.Config{BaseURL: s.URL, Model: "m", Backoff: time.Millisecond, Timeout: 200 * time.Millisecond, Retries: 2}
	if change != nil {
		change(&cfg)
	}
	c, err := llm.New(cfg)
	require.NoError(t, err)
	return c
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func TestFRCancelsTheLikingForYes(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.8)) // yes to both, a little less so backwards
	a, err := critic(t, s, nil).Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote)
	fr := logit(0.9) - logit(0.8)
	assert.InDelta(t, 1/(1+math.Exp(-fr/2)), a.Confidence, 1e-9)
	require.Len(t, a.Requests, 2)
	assert.Equal(t, 200, a.Requests[0].Status)
	assert.Contains(t, string(a.Requests[0].Body), question.Forward)
	assert.Contains(t, string(a.Requests[1].Body), question.Backward)
	assert.Contains(t, string(a.Requests[0].Reply), "logprobs")
	assert.Equal(t, 40, a.Requests[0].PromptTokens)
	assert.Len(t, a.Requests[0].Prompt, 64)

	sent := s.Requests()[0]
	require.NotNil(t, sent.Temperature, "temperature 0 is really sent")
	assert.Zero(t, *sent.Temperature)
	assert.Contains(t, string(sent.Body), `"temperature":0,`)
	assert.True(t, sent.LogProbs)
	assert.Equal(t, 20, sent.TopLogProbs)
}

func TestFRSignAndThreshold(t *testing.T) {
	for _, c := range []struct {
		p, q    float64
		want    shaping.Vote
		flipped bool
	}{
		{0.2, 0.9, shaping.First, false},
		{0.9, 0.2, shaping.Second, false},
		{0.9, 0.9, shaping.Tie, true},
		{0.52, 0.51, shaping.Tie, true},
		{0.505, 0.495, shaping.Tie, false},
	} {
		a, err := critic(t, fake.NewServer(t, likes(c.p, c.q)), nil).Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, c.want, a.Vote, "%v %v", c.p, c.q)
		assert.Equal(t, c.flipped, a.Flipped, "%v %v", c.p, c.q)
	}
}

func TestFRSumsSpellings(t *testing.T) {
	first := map[string]float64{"yes": 0.2, " Yes": 0.2, "YES": 0.1, "▁yes": 0.1, "no": 0.3, "Well": 0.1}
	s := fake.NewServer(t, func(r fake.Request) fake.Verdict {
		if strings.Contains(r.User(), question.Forward) {
			return fake.Verdict{Text: "yes", First: first}
		}
		return fake.Yes(0.5)
	})
	a, err := critic(t, s, nil).Ask(context.Background(), question)
	require.NoError(t, err)
	assert.InDelta(t, 1/(1+math.Exp(-math.Log(0.6/0.3)/2)), a.Confidence, 1e-9)
}

func TestFRWithoutLogProbsSamples(t *testing.T) {
	n := 0
	s := fake.NewServer(t, func(r fake.Request) fake.Verdict {
		n++
		if strings.Contains(r.User(), question.Forward) {
			return fake.Verdict{Text: "Yes."}
		}
		return fake.Verdict{Text: "No, it did not."}
	})
	c := critic(t, s, func(cfg *llm.Config) { cfg.Ask, cfg.Samples = llm.ModeFR, 3 })
	a, err := c.Ask(context.Background(), question)
	require.NoError(t, err)
	assert.Equal(t, shaping.Second, a.Vote)
	assert.InDelta(t, 1/(1+math.Exp(-(logit(3.5/4)-logit(0.5/4))/2)), a.Confidence, 1e-9)
	assert.Equal(t, 7, n, "one look for log-probabilities, three samples each way")
	assert.Equal(t, 1.0, *s.Requests()[1].Temperature)
}

func TestAutoFallsBackOnPairs(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.2))
	s.Always(fake.NoLogProbs)
	c := critic(t, s, nil)
	for range 2 {
		a, err := c.Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, shaping.Second, a.Vote)
	}
	var kinds []bool
	for _, r := range s.Requests() {
		kinds = append(kinds, r.LogProbs)
	}
	// Refused once, asked again without (the reply has none), then two pairs.
	assert.Equal(t, []bool{true, false, false, false, false, false}, kinds)
}

func TestPairBothOrders(t *testing.T) {
	pair := func(cfg *llm.Config) { cfg.Ask = llm.ModePair }
	for _, c := range []struct {
		script  func(fake.Request) fake.Verdict
		want    shaping.Vote
		flipped bool
	}{
		{likes(0.9, 0.1), shaping.Second, false},
		{likes(0.1, 0.9), shaping.First, false},
		{func(fake.Request) fake.Verdict { return fake.Verdict{Text: "A"} }, shaping.Tie, true},
		{func(fake.Request) fake.Verdict { return fake.Verdict{Text: "**B**, because A is worse"} }, shaping.Tie, true},
		{func(fake.Request) fake.Verdict { return fake.Verdict{Text: "**B**, because it is."} }, shaping.Tie, true},
		{func(fake.Request) fake.Verdict { return fake.Verdict{Text: "A move like this is fine"} }, shaping.Invalid, false},
		{func(fake.Request) fake.Verdict { return fake.Verdict{Text: "Same"} }, shaping.Tie, false},
	} {
		a, err := critic(t, fake.NewServer(t, c.script), pair).Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, c.want, a.Vote)
		assert.Equal(t, c.flipped, a.Flipped)
		assert.Equal(t, c.want == shaping.Invalid, a.Reason != "")
	}
}

func TestBaseURLForms(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	for _, suffix := range []string{"", "/", "/v1", "/v1/", "/v1/chat/completions"} {
		a, err := critic(t, s, func(c *llm.Config) { c.BaseURL = s.URL + suffix }).Ask(context.Background(), question)
		require.NoError(t, err, suffix)
		assert.Equal(t, shaping.Second, a.Vote)
	}
	for raw, want := range map[string]string{
		"https://api.example.org/openai/v1":  "https://api.example.org/openai/v1",
		"https://example.org/v1beta/openai/": "https://example.org/v1beta/openai",
	} {
		got, err := llm.BaseURL(raw)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, bad := range []string{"", "localhost:8080", "ftp://x", "http://user:pw@x", "http://x?key=1", "http://"} {
		_, err := llm.New(llm.Config{BaseURL: bad, Model: "m"})
		assert.ErrorIs(t, err, llm.ErrConfig, bad)
		assert.NotContains(t, err.Error(), "pw")
	}
}

// go-openai refuses these names log-probabilities, max_tokens and temperature.
func TestModelsWhoseNamesForbidLogProbs(t *testing.T) {
	for _, model := range []string{"o1-preview", "o3-mini", "o4-mini", "gpt-5-nano"} {
		s := fake.NewServer(t, likes(0.9, 0.1))
		c := critic(t, s, func(c *llm.Config) { c.Model, c.Samples = model, 3 })
		assert.Len(t, c.Plan(question), 6, "known before anybody is asked")
		a, err := c.Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, shaping.Second, a.Vote)
		require.Equal(t, 6, len(s.Requests()), "F-R by samples")
		for _, r := range s.Requests() {
			assert.Zero(t, r.MaxTokens)
			assert.Equal(t, 1024, r.MaxCompletionTokens)
			assert.Nil(t, r.Temperature)
			assert.False(t, r.LogProbs)
		}
		assert.Equal(t, []string{
			"models named like " + model + " take no log-probabilities, no temperature, and max_completion_tokens in place of max_tokens",
			"F-R is estimated from 3 sampled answers each way",
		}, c.Notes())
	}
	assert.Empty(t, critic(t, fake.NewServer(t, likes(1, 0)), nil).Notes())
}

func TestNotesTellWhatTheEndpointDoesNotTake(t *testing.T) {
	for fault, c := range map[fake.Fault]struct {
		ask  llm.Mode
		says string
	}{
		fake.NoLogProbs:    {llm.ModeAuto, "the endpoint gives no log-probabilities; pairs are asked in both orders"},
		fake.NoTemperature: {llm.ModePair, "the endpoint takes no temperature: it answers at its own"},
		fake.NoFormat:      {llm.ModeScore, "the endpoint takes no json_schema: JSON is asked for in words"},
		fake.ReasonsFirst:  {llm.ModeFR, "the model reasons before it answers: first tokens say nothing; F-R is estimated from 5 sampled answers each way"},
	} {
		s := fake.NewServer(t, likes(0.9, 0.1))
		s.Always(fault)
		critic := critic(t, s, func(cfg *llm.Config) { cfg.Ask = c.ask })
		_, err := critic.Ask(context.Background(), question)
		require.NoError(t, err)
		assert.Equal(t, c.says, strings.Join(critic.Notes(), "; "))
	}
}

// Equal words at temperature 0 are asked once, whichever pair and query they
// belong to, also while the first is still under way.
func TestEqualQuestionsArePaidOnce(t *testing.T) {
	hold := make(chan struct{})
	s := fake.NewServer(t, func(r fake.Request) fake.Verdict {
		<-hold
		return likes(0.9, 0.1)(r)
	})
	c := critic(t, s, func(cfg *llm.Config) { cfg.Store, cfg.Timeout = &memory{}, 10*time.Second })
	var workers sync.WaitGroup
	for i := range 8 {
		q := question
		q.Key, q.Pair, q.Query = uint64(i), uint64(i), i%3
		workers.Go(func() {
			a, err := c.Ask(context.Background(), q)
			assert.NoError(t, err)
			assert.Equal(t, shaping.Second, a.Vote)
		})
	}
	require.Eventually(t, func() bool { return len(s.Requests()) == 1 }, 5*time.Second, time.Millisecond)
	time.Sleep(20 * time.Millisecond) // for the others to arrive
	close(hold)
	workers.Wait()
	assert.Equal(t, 2, len(s.Requests()))

	// Drawn answers are each question's own.
	pairs := critic(t, s, func(cfg *llm.Config) { cfg.Store, cfg.Ask = &memory{}, llm.ModePair })
	for key := range uint64(3) {
		q := question
		q.Key, q.Query = key, 1
		_, err := pairs.Ask(context.Background(), q)
		require.NoError(t, err)
	}
	assert.Equal(t, 2+3*2, len(s.Requests()))
}

// One caller who gives up takes nobody along.
func TestGivingUpIsOnesOwn(t *testing.T) {
	s := fake.NewServer(t, likes(0.9, 0.1))
	s.Inject(fake.Hang)
	c := critic(t, s, func(cfg *llm.Config) { cfg.Timeout = 10 * time.Second })
	first, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() {
		_, err := c.Ask(first, question)
		gone <- err
	}()
	require.Eventually(t, func() bool { return len(s.Requests()) == 1 }, 5*time.Second, time.Millisecond)
	second := make(chan error)
	go func() {
		_, err := c.Ask(context.Background(), question)
		second <- err
	}()
	time.Sleep(20 * time.Millisecond) // for it to join
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	require.NoError(t, <-second)
}

func TestOptionsAreChecked(t *testing.T) {
	hot := float32(3)
	for _, cfg := range []llm.Config{
		{BaseURL: "http://x"},
		{BaseURL: "http://x", Model: "m", Ask: "vote"},
		{BaseURL: "http://x", Model: "m", RPM: -1},
		{BaseURL: "http://x", Model: "m", PriceIn: math.NaN()},
		{BaseURL: "http://x", Model: "m", Threshold: math.NaN()},
		{BaseURL: "http://x", Model: "m", Samples: -1},
		{BaseURL: "http://x", Model: "m", Temperature: &hot},
	} {
		_, err := llm.New(cfg)
		assert.ErrorIs(t, err, llm.ErrConfig)
	}
}

func TestShowCallsNobody(t *testing.T) {
	s := fake.NewServer(t, likes(1, 0))
	text := critic(t, s, nil).Show(question)
	assert.Contains(t, text, "five, now four\n\nDid this change help")
	assert.Contains(t, text, "A:\nfour, now five\n\nB:\nfive, now four")
	assert.Empty(t, s.Requests())
}
