package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"marlpit/shaping"
)

var aAndB = []string{"A", "B"}

func (c *Critic) scoreCall(q shaping.Question, order int) call {
	in := c.written(q, promptScore, sides[order], shown(q, order))
	in.numbers = aAndB
	return in
}

// byScore asks for a number for each of two changes, in both orders. The
// confidence is the mean lead of the second state, as a share of the scale.
func (c *Critic) byScore(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	var a shaping.Answer
	var leads [2]float64 // of the second state over the first
	for i, side := range sides {
		r, err := c.client.do(ctx, q, c.scoreCall(q, i))
		if err != nil {
			return shaping.Answer{}, err
		}
		a.Requests = append(a.Requests, r.request)
		got := readNumbers(r, aAndB)
		for _, k := range aAndB {
			if why := got[k].reason; why != "" && a.Reason == "" {
				a.Reason = side + ": " + why
			}
		}
		leads[i] = got["B"].value - got["A"].value
	}
	leads[1] = -leads[1] // shown exchanged
	return byLead(a, leads[0]+leads[1], leads[0]*leads[1] < 0), nil
}

// byLead turns twice the lead of the second state into a vote; readings that
// contradict each other are a tie.
func byLead(a shaping.Answer, twice float64, contradict bool) shaping.Answer {
	a.Confidence = 0.5 + twice/(4*(highest-lowest))
	switch {
	case a.Reason != "":
		a.Vote = shaping.Invalid
	case contradict || twice == 0:
		a.Vote, a.Confidence, a.Flipped = shaping.Tie, 0.5, contradict
	case twice > 0:
		a.Vote = shaping.Second
	default:
		a.Vote = shaping.First
	}
	return a
}

// allCall asks about all agents of a transition at once: equal for each of
// them, so one request serves their questions.
func (c *Critic) allCall(q shaping.Question, way int) call {
	var told strings.Builder
	var keys []string
	for _, t := range q.Team {
		words := t.Forward
		if way == 1 {
			words = t.Backward
		}
		fmt.Fprintf(&told, "%s:\n%s\n\n", t.Agent, strings.TrimSpace(words))
		keys = append(keys, t.Agent)
	}
	in := c.written(q, promptAll, sides[way], map[string]string{"Told": told.String(), "Keys": inJSON(keys)})
	in.numbers, in.team = keys, true
	return in
}

// inJSON lists texts as JSON has them, with nothing escaped that a model might
// then copy as it stands.
func inJSON(texts []string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, s := range texts {
		if err := e.Encode(s); err != nil { // a line each
			panic("llm: " + err.Error()) // strings always marshal
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", ", ")
}

// byAll asks for a number for each agent, in both directions: F−R of numbers.
// The same side of the middle both ways is one answer to both, as with yes/no.
func (c *Critic) byAll(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	if len(q.Team) == 0 || q.Agent == "" {
		return shaping.Answer{}, &Error{Message: "ask=all needs the words of every agent of a transition, and is not for questions about the team as a whole", fatal: true}
	}
	var a shaping.Answer
	var got [2]float64
	for way, side := range sides {
		in := c.allCall(q, way)
		r, err := c.client.do(ctx, q, in)
		if err != nil {
			return shaping.Answer{}, err
		}
		a.Requests = append(a.Requests, r.request)
		n := readNumbers(r, in.numbers)[q.Agent]
		if n.reason != "" && a.Reason == "" {
			a.Reason = side + ": " + n.reason
		}
		got[way] = n.value
	}
	const middle = (highest + lowest) / 2.0
	lead := got[0] - got[1]
	a = byLead(a, 2*lead, false)
	a.Flipped = a.Vote == shaping.Tie && math.Abs(got[0]-middle) > 0
	return a, nil
}
