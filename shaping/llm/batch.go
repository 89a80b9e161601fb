package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"marlpit/shaping"
)

// Unsent is a request as it would be sent, for somebody else to send.
type Unsent struct {
	Planned
	Prompt string // hash of the prompt's text
	Body   []byte // as Ask would send it
}

// Unsent lists the requests of one query whose replies aren't in the store. The
// way of asking is the one that is known to work when it is called: so the
// replies that are there, and what was refused, should have been read before,
// by Ask and Learn.
func (c *Critic) Unsent(ctx context.Context, q shaping.Question) ([]Unsent, error) {
	var out []Unsent
	for _, in := range c.calls(q) {
		key := c.client.replayKey(q, in)
		_, ok, err := c.client.stored(ctx, q, key, in)
		if err != nil {
			return nil, err
		}
		if ok {
			continue
		}
		body, err := json.Marshal(c.client.request(in))
		if err != nil {
			return nil, err
		}
		out = append(out, Unsent{Planned: Planned{Key: key, Usage: c.client.expect(in)}, Prompt: in.prompt.Hash,
			Body: bytes.Replace(body, tinyTemperature, zeroTemperature, 1)})
	}
	return out, nil
}

// Learn takes in that an endpoint refused a request (status 400 or 422): a
// parameter that the refusal names is left out of further ones. It says whether
// there was any.
func (c *Critic) Learn(refused shaping.Request) bool {
	var sent openai.ChatCompletionRequest
	if json.Unmarshal(refused.Body, &sent) != nil {
		return false
	}
	if sent.Temperature == 0 && bytes.Contains(refused.Body, zeroTemperature) {
		sent.Temperature = math.SmallestNonzeroFloat32 // it was sent, and may be what is refused
	}
	return c.client.adapt(string(bytes.ToLower(refused.Reply)), sent)
}

// Receive reads the reply to a request that somebody else has sent, and fills in
// tokens and cost. answered says whether it is a model's reply; where it isn't,
// why tells what is wrong.
func (c *Critic) Receive(r shaping.Request) (out shaping.Request, answered bool, why string) {
	r.Reply = c.client.redactBytes(r.Reply)
	if r.Status != http.StatusOK {
		return r, false, withStatus(r.Status, c.client.tell(refusal(r.Reply)).Error())
	}
	got, err := decode(r)
	if err != nil {
		return r, false, c.client.tell(err).Error()
	}
	r = got.request
	if r.PromptTokens == 0 && r.CompletionTokens == 0 { // not reported: estimated from the lengths
		var sent openai.ChatCompletionRequest
		if json.Unmarshal(r.Body, &sent) == nil {
			size := 0
			for _, m := range sent.Messages {
				size += len(m.Content)
			}
			r.PromptTokens = (size+bytesPerToken-1)/bytesPerToken + formTokens
		}
		r.CompletionTokens = (len(got.text) + len(got.reasoning) + bytesPerToken - 1) / bytesPerToken
	}
	took := c.client.priced(shaping.Usage{Requests: 1, PromptTokens: r.PromptTokens, CompletionTokens: r.CompletionTokens})
	r.Cost, r.Currency = took.Cost, c.client.cfg.Currency
	return r, true, ""
}

// refusal is what a reply says that is none of a model: its error, or all of it.
func refusal(reply []byte) error {
	var w struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(reply, &w) == nil && w.Error.Message != "" {
		return errors.New(w.Error.Message)
	}
	return errors.New(string(reply))
}
