package llm

import (
	"context"
	"fmt"
	"math"

	"marlpit/shaping"
)

// byLogProbs reads F−R from first tokens. given is false where the endpoint
// gave no log-probabilities, or the model reasons first: then nothing can be
// said this way.
func (c *Critic) byLogProbs(ctx context.Context, q shaping.Question) (a shaping.Answer, given bool, err error) {
	var logits [2]float64
	for i, side := range sides {
		r, err := c.client.do(ctx, q, firstTokenCall(q, side))
		if err != nil {
			return a, false, err
		}
		a.Requests = append(a.Requests, r.request)
		var reason string
		switch {
		case r.empty:
			reason = reasonNoChoices
		case r.reasonsFirst():
			c.client.caps.reasons.Store(true)
			return a, false, nil
		case len(r.tokens) > 0:
			c.client.caps.someLogProbs.Store(true)
			logits[i], reason = firstToken(r.tokens, c.client.cfg.MinMass)
		case c.client.caps.someLogProbs.Load():
			reason = "no log-probabilities, though the endpoint gives them" // a lapse, not a lack
		default:
			return a, false, nil
		}
		if reason != "" && a.Reason == "" {
			a.Reason = side + ": " + reason
		}
	}
	return c.judge(a, logits), true, nil
}

// bySamples estimates P(yes) as (n_yes+½)/(n+1) from sampled answers each way.
// Unreadable answers are left out; where fewer than half can be read, the vote
// is invalid.
func (c *Critic) bySamples(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	var a shaping.Answer
	var logits [2]float64
	n := c.client.cfg.Samples
	for i, side := range sides {
		yes, valid, why := 0, 0, ""
		for sample := range n {
			r, err := c.client.do(ctx, q, c.sampleCall(q, side, sample))
			if err != nil {
				return shaping.Answer{}, err
			}
			a.Requests = append(a.Requests, r.request)
			answer, reason := readAnswer(r, yesNo)
			if reason != "" {
				why = reason
				continue
			}
			valid++
			if answer == "yes" {
				yes++
			}
		}
		if 2*valid < n && a.Reason == "" {
			a.Reason = fmt.Sprintf("%s: only %d of %d samples can be read: %s", side, valid, n, why)
		}
		p := (float64(yes) + 0.5) / (float64(valid) + 1)
		logits[i] = math.Log(p) - math.Log(1-p)
	}
	return c.judge(a, logits), nil
}

// frCall is the yes/no question on the transition of one side.
func frCall(q shaping.Question, side string) call {
	words := q.Forward
	if side == "backward" {
		words = q.Backward
	}
	in := call{prompt: promptFR, side: side}
	in.system, in.user = promptFR.render(map[string]string{"Words": words})
	return in
}

// firstTokenCall asks for a few tokens: some models begin with a blank.
func firstTokenCall(q shaping.Question, side string) call {
	in := frCall(q, side)
	in.logProbs, in.maxTokens = true, logProbsLonger
	return in
}

func (c *Critic) sampleCall(q shaping.Question, side string, sample int) call {
	in := frCall(q, side)
	in.temperature, in.maxTokens, in.sample = 1, c.client.cfg.MaxTokens, sample
	return in
}

// judge turns the log-odds of both directions into a vote.
func (c *Critic) judge(a shaping.Answer, logits [2]float64) shaping.Answer {
	if a.Reason != "" {
		a.Vote = shaping.Invalid
		return a
	}
	fr := logits[0] - logits[1]
	a.Confidence = sigmoid(fr / 2)
	switch {
	case math.Abs(fr) < c.client.cfg.Threshold || fr == 0:
		a.Vote, a.Confidence = shaping.Tie, 0.5
		a.Flipped = logits[0]*logits[1] > 0 // the same word for both directions
	case fr > 0:
		a.Vote = shaping.Second
	default:
		a.Vote = shaping.First
	}
	return a
}
