package llm

import (
	"context"
	"fmt"
	"strings"

	"marlpit/shaping"
)

// Critic is a language model behind an OpenAI-compatible endpoint. Its methods
// may be called from several goroutines at once.
type Critic struct {
	client *client
}

// New checks the options and calls nobody. It returns an error wrapping ErrConfig.
func New(cfg Config) (*Critic, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	return &Critic{client: newClient(cfg)}, nil
}

// Name is the kind, the model, and every option a verdict depends on.
func (c *Critic) Name() string {
	cfg := c.client.cfg
	s := fmt.Sprintf("openai model=%s ask=%s", cfg.Model, cfg.Ask)
	if cfg.Ask != ModePair {
		s += fmt.Sprintf(" threshold=%g samples=%d", cfg.Threshold, cfg.Samples)
	}
	if cfg.Temperature != nil {
		s += fmt.Sprintf(" temperature=%g", *cfg.Temperature)
	}
	return s + " prompts=" + c.prompts()
}

func (c *Critic) prompts() string {
	var names []string
	for _, p := range Prompts() {
		if c.client.cfg.Ask == ModeAuto || strings.HasPrefix(p.Name, string(c.client.cfg.Ask)) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ",")
}

// Recorded says whether the critic itself keeps every exchange (Config.Store).
func (c *Critic) Recorded() bool { return c.client.cfg.Store != nil }

// RequestsPerQuery is the number of requests one query takes, at least and at
// most, where nothing has to be tried again.
func (c *Critic) RequestsPerQuery() (least, most int) {
	cfg := c.client.cfg
	switch cfg.Ask {
	case ModePair:
		return 2, 2
	case ModeFR:
		return 2, 2 * cfg.Samples
	}
	return 2, 2
}

// Ask puts one query: both directions, or both orders.
func (c *Critic) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	cfg := c.client.cfg
	if q.Forward == "" || q.Backward == "" {
		return shaping.Answer{}, &Error{Message: "the question has no words: this world doesn't describe itself", fatal: true}
	}
	if cfg.Ask != ModePair && !c.client.caps.noLogProbs.Load() {
		a, given, err := c.byLogProbs(ctx, q)
		if err != nil || given {
			return a, err
		}
		c.client.caps.noLogProbs.Store(true)
	}
	if cfg.Ask == ModeFR {
		return c.bySamples(ctx, q)
	}
	return c.byPair(ctx, q)
}

// byPair shows A = first → second, B = second → first, then exchanged. The
// first query is asked at temperature 0, further ones at 1: equal questions
// would get equal answers.
func (c *Critic) byPair(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	var out shaping.Answer
	var votes [2]shaping.Vote
	for i, side := range []string{"forward", "backward"} {
		shown := map[string]string{"First": q.Backward, "Second": q.Forward}
		if i == 1 {
			shown["First"], shown["Second"] = shown["Second"], shown["First"]
		}
		in := call{prompt: promptPair, maxTokens: c.client.cfg.MaxTokens, side: side}
		if q.Query > 0 {
			in.temperature = 1
		}
		in.system, in.user = promptPair.render(shown)
		r, err := c.client.do(ctx, q, in)
		if err != nil {
			return shaping.Answer{}, err
		}
		out.Requests = append(out.Requests, r.request)
		answer, reason := readAnswer(r, aOrB)
		if reason != "" && out.Reason == "" {
			out.Reason = side + ": " + reason
		}
		// A is what is shown first; Backward makes the first state the better.
		votes[i] = map[string]shaping.Vote{"a": shaping.First, "b": shaping.Second, "same": shaping.Tie}[answer]
	}
	joined := shaping.BothOrders(votes[0], votes[1])
	joined.Requests = out.Requests
	if joined.Vote == shaping.Invalid {
		joined.Reason = out.Reason
	}
	return joined, nil
}

// Show returns the prompts of one question, as they would be sent first.
func (c *Critic) Show(q shaping.Question) string {
	var b strings.Builder
	if c.client.cfg.Ask != ModePair {
		system, user := promptFR.render(map[string]string{"Words": q.Forward})
		fmt.Fprintf(&b, "--- %s (sha256 %s)\n--- system\n%s\n--- user\n%s\n", promptFR.Name, promptFR.Hash, system, user)
	}
	if c.client.cfg.Ask != ModeFR {
		system, user := promptPair.render(map[string]string{"First": q.Backward, "Second": q.Forward})
		fmt.Fprintf(&b, "--- %s (sha256 %s)\n--- system\n%s\n--- user\n%s\n", promptPair.Name, promptPair.Hash, system, user)
	}
	return b.String()
}
