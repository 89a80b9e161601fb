package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"marlpit/shaping"
)

// reply is a model's answer with what is read from it.
type reply struct {
	request   shaping.Request
	empty     bool   // no choices
	text      string // content of the first choice
	reasoning string // what thinking models say apart from the content
	cutOff    bool   // ended by the length limit
	tokens    []token
}

// reasonsFirst says whether the text begins with reasoning in place of an answer.
func (r reply) reasonsFirst() bool {
	return strings.HasPrefix(strings.TrimSpace(r.text), "<think>") || strings.TrimSpace(r.text) == "" && r.reasoning != ""
}

// token is one position of the log-probabilities.
type token struct {
	Token   string   `json:"token"`
	LogProb *float64 `json:"logprob"`
	Top     []token  `json:"top_logprobs"`
}

// wire is the part of a chat completion that is read. go-openai's own type has
// no `reasoning`, and can't tell a missing number from 0.
type wire struct {
	Choices []struct {
		Message struct {
			Content          json.RawMessage `json:"content"`
			Reasoning        json.RawMessage `json:"reasoning"`
			ReasoningContent json.RawMessage `json:"reasoning_content"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
		LogProbs     *struct {
			Content []token `json:"content"`
		} `json:"logprobs"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     count `json:"prompt_tokens"`
		CompletionTokens count `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// count is a number of tokens. What can't be one (text, below 0, more than any
// model takes) is 0, as where none is reported: an answer that was paid for is
// not asked for again because of its bill, and sums stay sums.
type count int

const mostTokens = 1e7

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(x >= 0 && x <= mostTokens) {
		x = 0
	}
	*c = count(math.Ceil(x))
	return nil
}

// bodyError is an error sent with status 200.
type bodyError struct {
	message string
	code    int // an HTTP status, 0 where none is named
}

func (e *bodyError) Error() string { return "error in a reply of status 200: " + e.message }

var errNotJSON = errors.New("the reply is no chat completion in JSON")

// decode reads the bytes of a reply. It returns an error for what is no reply
// of a model at all; an answer without content is a reply.
func decode(r shaping.Request) (reply, error) {
	var w wire
	if err := json.Unmarshal(r.Reply, &w); err != nil {
		return reply{request: r}, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	if len(w.Choices) == 0 && len(w.Error) > 0 && string(w.Error) != "null" {
		return reply{request: r}, readError(w.Error)
	}
	r.PromptTokens, r.CompletionTokens = int(w.Usage.PromptTokens), int(w.Usage.CompletionTokens)
	out := reply{request: r, empty: len(w.Choices) == 0}
	if out.empty {
		return out, nil
	}
	c := w.Choices[0]
	out.text = text(c.Message.Content)
	out.reasoning = text(c.Message.Reasoning)
	if out.reasoning == "" {
		out.reasoning = text(c.Message.ReasoningContent)
	}
	out.cutOff = c.FinishReason == "length"
	if c.LogProbs != nil {
		out.tokens = c.LogProbs.Content
	}
	return out, nil
}

// text reads a string, or the text parts of a list of parts; anything else is "".
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func readError(raw json.RawMessage) error {
	var e struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(raw, &e) != nil || e.Message == "" {
		e.Message = strings.Trim(string(raw), `"`)
	}
	code, _ := strconv.Atoi(strings.Trim(string(e.Code), `"`))
	return &bodyError{message: e.Message, code: code}
}
