package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// step is one step recorded elsewhere, with Mind2Web's names: the task, what was
// done before, the candidate elements of the page, and what agents propose.
// Keys that aren't named here are left out of account.
type step struct {
	Website   string         `json:"website"`
	Domain    string         `json:"domain"`
	Task      string         `json:"confirmed_task"`
	Previous  []string       `json:"previous_actions"`
	Elements  []candidate    `json:"candidates"`
	Proposals []stepProposal `json:"proposals"`
	Answer    *stepAnswer    `json:"answer"` // what is right; nil: unknown
}

type candidate struct {
	Node       string            `json:"backend_node_id"`
	Tag        string            `json:"tag"`
	Text       string            `json:"text"`
	Attributes map[string]string `json:"attributes"`
}

type operation struct {
	Op    string `json:"op"`    // CLICK, TYPE or SELECT
	Value string `json:"value"` // of TYPE and SELECT
}

type stepProposal struct {
	Agent     string    `json:"agent"`
	Node      string    `json:"backend_node_id"`
	Operation operation `json:"operation"`
	Reason    string    `json:"reason"`
}

type stepAnswer struct {
	Nodes     []string  `json:"backend_node_ids"` // any of them is right
	Operation operation `json:"operation"`
}

// stepsWorld is the world of rounds made of such steps.
const stepsWorld = "steps"

// ops are the actions that operations come to.
var ops = map[string]struct{ action, words string }{"CLICK": {"click", "click"}, "TYPE": {"input_text", "type"}, "SELECT": {"select", "select"}}

// ParseStep reads a line of steps that were recorded elsewhere, in the shape of
// Mind2Web's, as a round. It returns an error wrapping ErrRound.
func ParseStep(line []byte) (*Record, error) {
	var s step
	if err := decode(line, &s); err != nil {
		return nil, err
	}
	if s.Task == "" {
		return nil, fmt.Errorf("%w: confirmed_task is missing or empty", ErrRound)
	}
	r := Record{Round: Round{World: stepsWorld, Template: s.Website, Goal: s.Task, App: s.Website, Turn: len(s.Previous),
		History: append([]string{}, s.Previous...), Elements: []Element{}}}
	if s.Domain != "" {
		r.Apps = []string{s.Domain}
	}
	at := map[string]int{}
	for i, c := range s.Elements {
		if _, twice := at[c.Node]; twice || c.Node == "" {
			return nil, fmt.Errorf("%w: candidates[%d]: backend_node_id is missing or there twice: %.40q", ErrRound, i, c.Node)
		}
		at[c.Node] = i
		r.Elements = append(r.Elements, c.element(i))
	}
	for i, p := range s.Proposals {
		x, err := p.proposal(at, r.Elements)
		if err != nil {
			return nil, fmt.Errorf("%w: proposals[%d]: %w", ErrRound, i, err)
		}
		r.Proposals = append(r.Proposals, x)
		if s.Answer != nil {
			r.Right = append(r.Right, !x.Wasted() && slices.Contains(s.Answer.Nodes, p.Node) && p.Operation == s.Answer.Operation)
		}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(r.Round)
	r.Text = text
	return &r, err
}

// element is a candidate as rounds have it.
func (c candidate) element(index int) Element {
	e := Element{Index: index, Role: c.Tag, Text: c.Text, Value: c.Attributes["value"], Enabled: c.Attributes["disabled"] == "",
		Editable: c.Tag == "input" || c.Tag == "textarea", Clickable: true}
	if role := c.Attributes["role"]; role != "" {
		e.Role = role
	}
	for _, name := range []string{"aria-label", "placeholder", "title", "alt", "name"} {
		if e.Description == "" {
			e.Description = c.Attributes[name]
		}
	}
	return e
}

// proposal is one as rounds have it; of no candidate it is a wasted one.
func (p stepProposal) proposal(at map[string]int, elements []Element) (Proposal, error) {
	out := Proposal{Agent: p.Agent, Reason: p.Reason}
	op, ok := ops[p.Operation.Op]
	if !ok {
		return out, fmt.Errorf("op is CLICK, TYPE or SELECT, got %.40q", p.Operation.Op)
	}
	i, ok := at[p.Node]
	if !ok {
		out.Error = fmt.Sprintf("there is no candidate %.40q", p.Node)
		return out, nil
	}
	action := struct {
		Type  string `json:"action_type"`
		Index int    `json:"index"`
		Text  string `json:"text,omitempty"`
	}{op.action, i, p.Operation.Value}
	name := elements[i].Text
	if name == "" {
		name = elements[i].Description
	}
	out.Words = fmt.Sprintf("%s %q", op.words, name)
	if p.Operation.Value != "" {
		out.Words += fmt.Sprintf(": %q", p.Operation.Value)
	}
	b, err := json.Marshal(action)
	out.Action = b
	return out, err
}

// longestLine bounds a line of a recording.
const longestLine = 16 << 20

// ReadRecords reads a recording: a line is a round, or a step in the shape of
// Mind2Web's. Empty lines are skipped. The error names the line.
func ReadRecords(from io.Reader) ([]*Record, error) {
	var out []*Record
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	n := 1
	for ; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		parse := ParseRecord
		var kind struct {
			Task *json.RawMessage `json:"confirmed_task"`
		}
		if json.Unmarshal(line, &kind) == nil && kind.Task != nil {
			parse = ParseStep
		}
		r, err := parse(line)
		if err != nil {
			return out, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, r)
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%w: line %d is longer than %d bytes", ErrRound, n, longestLine)
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%w: there is no line in it", ErrRound)
	}
	return out, err
}
