package llm

import (
	"context"
	"errors"
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

// Name is the kind, the critic's own name where it has one, the model, and every
// option a verdict depends on.
func (c *Critic) Name() string {
	cfg := c.client.cfg
	s := "openai"
	if cfg.Name != "" {
		s += " name=" + cfg.Name
	}
	s += fmt.Sprintf(" model=%s ask=%s", cfg.Model, cfg.Ask)
	if cfg.Ask == ModeAuto || cfg.Ask == ModeFR {
		s += fmt.Sprintf(" threshold=%g samples=%d", cfg.Threshold, cfg.Samples)
	}
	if cfg.MaxTokens != defaultMaxTokens {
		s += fmt.Sprintf(" max_tokens=%d", cfg.MaxTokens)
	}
	if cfg.Temperature != nil {
		s += fmt.Sprintf(" temperature=%g", *cfg.Temperature)
	}
	var names []string
	for _, p := range c.prompts() {
		names = append(names, p.Name)
	}
	return s + " prompts=" + strings.Join(names, ",")
}

// prompts are those the way of asking may use, the likeliest first.
func (c *Critic) prompts() []Prompt {
	switch c.client.cfg.Ask {
	case ModeFR:
		return []Prompt{promptFR}
	case ModePair:
		return []Prompt{promptPair}
	case ModeScore:
		return []Prompt{promptScore}
	case ModeAll:
		return []Prompt{promptAll}
	}
	return []Prompt{promptFR, promptPair}
}

// Ask puts one query: both directions, or both orders.
func (c *Critic) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	ask, caps := c.client.cfg.Ask, &c.client.caps
	switch {
	case q.Forward == "" || q.Backward == "":
		return shaping.Answer{}, &Error{Message: "the question has no words: this world doesn't describe itself", fatal: true}
	case ask == ModePair:
		return c.byPair(ctx, q)
	case ask == ModeScore:
		return c.byScore(ctx, q)
	case ask == ModeAll:
		return c.byAll(ctx, q)
	}
	if !caps.noLogProbs.Load() {
		a, given, err := c.byLogProbs(ctx, q)
		switch {
		case errors.Is(err, ErrOffline): // what was asked may have been asked the other way
		case err != nil || given:
			return a, err
		default:
			caps.noLogProbs.Store(true)
		}
	}
	if c.sampled() {
		return c.bySamples(ctx, q)
	}
	return c.byPair(ctx, q)
}

// sampled says whether F−R is estimated from samples where first tokens can't be had.
func (c *Critic) sampled() bool {
	return c.client.cfg.Ask == ModeFR || c.client.cfg.Ask == ModeAuto && c.client.caps.named.Load()
}

// written is a call for an answer in words or JSON. The first query is asked
// at temperature 0, further ones at 1: equal questions would get equal answers.
func (c *Critic) written(q shaping.Question, p Prompt, side string, data map[string]string) call {
	in := call{prompt: p, maxTokens: c.client.cfg.MaxTokens, side: side}
	if q.Query > 0 {
		in.temperature = 1
	}
	in.system, in.user = p.render(data)
	return in
}

// sides are the two readings of a query, by pair: the orders; else the directions.
var sides = [2]string{"forward", "backward"}

// shown is the pair A = first → second, B = second → first, or exchanged.
// A is what is shown first; the words of the way back make the first state the
// better.
func shown(q shaping.Question, order int) map[string]string {
	out := map[string]string{"First": q.Backward, "Second": q.Forward}
	if order == 1 {
		out["First"], out["Second"] = out["Second"], out["First"]
	}
	return out
}

func (c *Critic) pairCall(q shaping.Question, order int) call {
	return c.written(q, promptPair, sides[order], shown(q, order))
}

// byPair asks for A or B, in both orders.
func (c *Critic) byPair(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	var out shaping.Answer
	var votes [2]shaping.Vote
	for i, side := range sides {
		r, err := c.client.do(ctx, q, c.pairCall(q, i))
		if err != nil {
			return shaping.Answer{}, err
		}
		out.Requests = append(out.Requests, r.request)
		answer, reason := readAnswer(r, aOrB)
		if reason != "" && out.Reason == "" {
			out.Reason = side + ": " + reason
		}
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
	for _, p := range c.prompts() {
		var in call
		switch p.Name {
		case promptFR.Name:
			in = frCall(q, sides[0])
		case promptPair.Name:
			in = c.pairCall(q, 0)
		case promptScore.Name:
			in = c.scoreCall(q, 0)
		default:
			in = c.allCall(q, 0)
		}
		fmt.Fprintf(&b, "--- %s (sha256 %s)\n--- system\n%s\n--- user\n%s\n", p.Name, p.Hash, in.system, in.user)
	}
	return b.String()
}
