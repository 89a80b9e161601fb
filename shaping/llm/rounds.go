package llm

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"marlpit/shaping"
	"marlpit/shaping/process"
)

// Rounds is a language model that judges rounds: one request for all proposals,
// answered with a reason and a score for each. An answer that can't be used is
// asked for once more, saying why; the second is final. Its methods may be
// called from several goroutines at once.
type Rounds struct {
	client *client
}

// NewRounds checks the options and calls nobody. Those of transitions (Ask,
// Threshold, Samples, MinMass) mean nothing here. It returns an error wrapping
// ErrConfig.
func NewRounds(cfg Config) (*Rounds, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	return &Rounds{client: newClient(cfg)}, nil
}

// Name is the kind, the critic's own name where it has one, the model, and every
// option a score depends on.
func (c *Rounds) Name() string { return c.name(promptRound) }

func (c *Rounds) name(p Prompt) string {
	cfg := c.client.cfg
	s := "openai"
	if cfg.Name != "" {
		s += " name=" + cfg.Name
	}
	s += " model=" + cfg.Model
	if cfg.MaxTokens != defaultMaxTokens {
		s += fmt.Sprintf(" max_tokens=%d", cfg.MaxTokens)
	}
	if cfg.Temperature != nil {
		s += fmt.Sprintf(" temperature=%g", *cfg.Temperature)
	}
	return s + " prompts=" + p.Name
}

// Score implements process.Critic.
func (c *Rounds) Score(ctx context.Context, r *process.Record) (process.Answer, error) {
	agents := judged(r)
	out := process.Answer{Scores: make([]float64, len(r.Proposals)), Reasons: make([]string, len(r.Proposals))}
	if len(agents) == 0 {
		return out, nil
	}
	var got map[string]scored
	requests, why, err := c.twice(ctx, r, func(wrong string) call { return c.roundCall(r, agents, wrong) }, func(a reply) (why string) {
		got, why = readScores(a, agents)
		return why
	})
	if err != nil {
		return process.Answer{}, err
	}
	out.Requests, out.Invalid = requests, why
	for i, p := range r.Proposals {
		if why == "" && !p.Wasted() {
			out.Scores[i], out.Reasons[i] = got[p.Agent].score, got[p.Agent].reason
		}
	}
	return process.Checked(out, len(r.Proposals)), nil
}

// twice asks, and asks again, telling what was wrong, where the answer can't be
// used. read says why it can't, "" where it can.
func (c *Rounds) twice(ctx context.Context, r *process.Record, ask func(wrong string) call, read func(reply) string) (requests []shaping.Request, why string, err error) {
	k := r.Key()
	q := shaping.Question{Key: binary.LittleEndian.Uint64(k[:8]), Pair: binary.LittleEndian.Uint64(k[8:])}
	for try := range 2 {
		in := ask(why)
		in.sample = try
		a, err := c.client.do(ctx, q, in)
		if err != nil {
			return requests, "", err
		}
		requests = append(requests, a.request)
		if why = read(a); why == "" {
			break
		}
	}
	return requests, why, nil
}

// judged are the agents whose proposals can be played.
func judged(r *process.Record) []string {
	var out []string
	for _, p := range r.Proposals {
		if !p.Wasted() {
			out = append(out, p.Agent)
		}
	}
	return out
}

func (c *Rounds) roundCall(r *process.Record, agents []string, wrong string) call {
	in := call{prompt: promptRound, maxTokens: c.client.cfg.MaxTokens, format: scoresFormat(agents)}
	in.system, in.user = promptRound.render(map[string]string{
		"Round": shownRound(r, true), "Agents": quoted(agents), "Keys": quoted(agents), "Wrong": wrong})
	return in
}

// quoted lists names as JSON strings.
func quoted(names []string) string {
	b, err := json.Marshal(names)
	if err != nil {
		panic("llm: " + err.Error()) // strings always marshal
	}
	return strings.ReplaceAll(strings.Trim(string(b), "[]"), ",", ", ")
}

// shownRound is a round as a prompt holds it: JSON in which < and > are escaped,
// so that no text of a page can end the tag around it. Places on the screen and
// wasted proposals are left out.
func shownRound(r *process.Record, reasons bool) string {
	shown := r.Round
	shown.Elements = slices.Clone(r.Elements)
	for i := range shown.Elements {
		shown.Elements[i].Bounds = nil
	}
	shown.Proposals = nil
	for _, p := range r.Proposals {
		if p.Wasted() {
			continue
		}
		if !reasons {
			p.Reason = ""
		}
		shown.Proposals = append(shown.Proposals, p)
	}
	b, err := json.Marshal(shown)
	if err != nil {
		panic("llm: " + err.Error()) // it was parsed from JSON
	}
	return string(b)
}

// scoresFormat is the JSON schema of an object with a reason and a score for
// each agent.
func scoresFormat(agents []string) *openai.ChatCompletionResponseFormat {
	one := map[string]any{
		"type": "object", "properties": map[string]any{"reason": map[string]string{"type": "string"}, "score": map[string]string{"type": "number"}},
		"required": []string{"reason", "score"}, "additionalProperties": false,
	}
	properties := map[string]any{}
	for _, a := range agents {
		properties[a] = one
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": agents, "additionalProperties": false})
	if err != nil {
		panic("llm: " + err.Error()) // strings always marshal
	}
	return &openai.ChatCompletionResponseFormat{
		Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "scores", Schema: json.RawMessage(schema), Strict: true},
	}
}

// scored is what was said of one proposal.
type scored struct {
	score  float64
	reason string
}

// longestReason bounds what is kept of a critic's reason, in bytes.
const longestReason = 2000

// readScores finds the JSON object of a reply, and under each agent's name its
// reason and score. Anything missing, extra, double or not in [0,1] spoils all.
func readScores(r reply, agents []string) (out map[string]scored, why string) {
	object, why := findObject(r)
	if why != "" {
		return nil, why
	}
	for k := range object {
		if !slices.Contains(agents, k) {
			if r.cutOff { // it is part of an object that never ended
				return nil, reasonCutOff
			}
			return nil, fmt.Sprintf("a score for %.40q, who was not asked about", k)
		}
	}
	out = map[string]scored{}
	for _, a := range agents {
		raw, ok := object[a]
		if !ok {
			return nil, fmt.Sprintf("no score for %q", a)
		}
		x, why := readScored(raw)
		if why != "" {
			return nil, fmt.Sprintf("%s: %s", a, why)
		}
		out[a] = x
	}
	return out, ""
}

func readScored(raw json.RawMessage) (scored, string) {
	if !bytes.HasPrefix(raw, []byte("{")) {
		return scored{}, fmt.Sprintf("an object with reason and score is wanted, got %.40s", raw)
	}
	members, _, double, ok := readObject(string(raw))
	if !ok || double != "" {
		return scored{}, fmt.Sprintf("%.40q stands there twice", double)
	}
	for k := range members {
		if k != "reason" && k != "score" {
			return scored{}, fmt.Sprintf("%.40q was not asked for", k)
		}
	}
	var out scored
	if !bytes.HasPrefix(members["reason"], []byte(`"`)) || json.Unmarshal(members["reason"], &out.reason) != nil {
		return scored{}, "no reason in words"
	}
	out.reason = clipped(out.reason, longestReason)
	number := members["score"]
	if len(number) == 0 {
		return scored{}, "no score"
	}
	if number[0] != '-' && (number[0] < '0' || number[0] > '9') {
		return scored{}, fmt.Sprintf("the score %.40s is no number", number)
	}
	x, err := strconv.ParseFloat(string(number), 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return scored{}, fmt.Sprintf("the score %.40s is not from 0 to 1", number)
	}
	out.score = x
	return out, ""
}

func clipped(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// Notes say what the endpoint was found not to take, and what is done instead.
func (c *Rounds) Notes() []string {
	k := &c.client.caps
	var out []string
	if k.noTemperature.Load() {
		out = append(out, "the endpoint takes no temperature: it answers at its own")
	}
	if k.noFormat.Load() {
		out = append(out, "the endpoint takes no json_schema: JSON is asked for in words")
	}
	return out
}

// Show returns the prompt of one round, as it would be sent first.
func (c *Rounds) Show(r *process.Record) string {
	in := c.roundCall(r, judged(r), "")
	return fmt.Sprintf("--- %s (sha256 %s)\n--- system\n%s\n--- user\n%s\n", promptRound.Name, promptRound.Hash, in.system, in.user)
}
