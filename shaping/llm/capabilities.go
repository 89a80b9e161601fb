package llm

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"
)

// capabilities are what the endpoint was found not to take.
type capabilities struct {
	named          atomic.Bool // the model's name says so, to go-openai
	noTemperature  atomic.Bool
	noLogProbs     atomic.Bool // refused, left out of a reply, or of no use
	someLogProbs   atomic.Bool // has given log-probabilities
	newTokenLimit  atomic.Bool // wants max_completion_tokens
	fewTopLogProbs atomic.Bool // takes at most 5 alternatives
	noFormat       atomic.Bool // takes no json_schema
	reasons        atomic.Bool // reasons before it answers
}

// byName asks go-openai what it would refuse a model of this name.
func (k *capabilities) byName(model string) {
	probe := openai.ChatCompletionRequest{Model: model, LogProbs: true, Temperature: 0.5}
	if openai.NewReasoningValidator().Validate(probe) == nil {
		return
	}
	for _, b := range []*atomic.Bool{&k.named, &k.noTemperature, &k.noLogProbs, &k.newTokenLimit} {
		b.Store(true)
	}
}

// adapt leaves out the parameter that a refusal names, if it was sent: so it
// can't go on for ever, and workers that are refused together all go on.
func (c *client) adapt(message string, sent openai.ChatCompletionRequest) bool {
	switch {
	case sent.ResponseFormat != nil && (strings.Contains(message, "response_format") || strings.Contains(message, "json_schema")):
		c.caps.noFormat.Store(true)
	case strings.Contains(message, "max_tokens") && sent.MaxTokens > 0:
		c.caps.newTokenLimit.Store(true)
	case strings.Contains(message, "top_logprobs") && sent.TopLogProbs > fewTopLogProbs:
		c.caps.fewTopLogProbs.Store(true)
	case strings.Contains(message, "logprobs") && sent.LogProbs:
		c.caps.noLogProbs.Store(true)
	case strings.Contains(message, "temperature") && sent.Temperature > 0:
		c.caps.noTemperature.Store(true)
	default:
		return false
	}
	return true
}

// adaptLibrary does the same for what go-openai itself refuses.
func (c *client) adaptLibrary(err error, refused openai.ChatCompletionRequest) bool {
	switch {
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
		c.caps.newTokenLimit.Store(true)
		return refused.MaxTokens > 0
	case errors.Is(err, openai.ErrReasoningModelLimitationsLogprobs):
		c.caps.noLogProbs.Store(true)
		return refused.LogProbs
	case errors.Is(err, openai.ErrReasoningModelLimitationsOther):
		c.caps.noTemperature.Store(true)
		return refused.Temperature > 0
	case errors.Is(err, openai.ErrReasoningSamplingUnsupported):
		c.caps.noLogProbs.Store(true)
		c.caps.noTemperature.Store(true)
		return refused.LogProbs || refused.Temperature > 0
	}
	return false
}

// Notes say what the endpoint was found not to take, and what is done instead.
func (c *Critic) Notes() []string {
	k, cfg := &c.client.caps, c.client.cfg
	var out []string
	note := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(k.named.Load(), "models named like %s take no log-probabilities, no temperature, and max_completion_tokens in place of max_tokens", cfg.Model)
	note(k.reasons.Load(), "the model reasons before it answers: first tokens say nothing")
	note(k.someLogProbs.Load(), "log-probabilities don't change from query to query: further queries repeat the vote, at no cost")
	if yesNo := cfg.Ask == ModeFR || cfg.Ask == ModeAuto; yesNo && k.noLogProbs.Load() {
		note(!k.named.Load() && !k.reasons.Load(), "the endpoint gives no log-probabilities")
		note(c.sampled(), "F-R is estimated from %d sampled answers each way", cfg.Samples)
		note(!c.sampled(), "pairs are asked in both orders")
	}
	note(k.noTemperature.Load() && !k.named.Load(), "the endpoint takes no temperature: it answers at its own")
	note(k.noFormat.Load(), "the endpoint takes no json_schema: JSON is asked for in words")
	return out
}
