package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxReason is the greatest length of an agent's reason, and of a text it types, in bytes.
const maxReason = 2000

// keysOf are the keys of an action beside action_type and reason, by verb.
var keysOf = [Verbs][]string{
	VerbClick: {"index"}, VerbLongPress: {"index"}, VerbInput: {"index", "text"}, VerbScroll: {"direction", "index"},
	VerbOpen: {"app_name"}, VerbAnswer: {"text"}, VerbStatus: {"goal_status"},
}

// ParseAction reads a JSON action and the reason that comes with it. It says in
// the error what is wrong; whether the action is legal is Device.Explain's.
func ParseAction(data []byte) (a Action, reason string, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil || raw == nil {
		return a, "", fmt.Errorf(`an action is one JSON object such as {"action_type":"click","index":0}, got %s`, excerpt(data))
	}
	if key := twice(data); key != "" {
		return a, "", fmt.Errorf("the key %s is there twice", excerpt([]byte(key)))
	}
	var name string
	if err := member(raw, "action_type", &name, "a string"); err != nil {
		return a, "", fmt.Errorf("%w: one of %s", err, verbNames())
	}
	a.Verb = noVerb
	for v := range noVerb {
		if v.String() == name {
			a.Verb = v
		}
	}
	if a.Verb == noVerb {
		return a, "", fmt.Errorf("action_type %s is unknown: it is one of %s", excerpt([]byte(name)), verbNames())
	}
	if _, ok := raw["reason"]; ok {
		if err := member(raw, "reason", &reason, "a string"); err != nil {
			return a, "", err
		}
		if len(reason) > maxReason {
			return a, "", fmt.Errorf("reason has %d bytes, at most %d are heard", len(reason), maxReason)
		}
	}
	if err := unknown(raw, a.Verb); err != nil {
		return a, reason, err
	}
	return a, reason, a.read(raw)
}

// noVerb is the first number that is no verb.
const noVerb = Verb(Verbs)

// read reads what the verb takes.
func (a *Action) read(raw map[string]json.RawMessage) error {
	if a.Verb == VerbScroll {
		a.Index = -1
	}
	for _, key := range keysOf[a.Verb] {
		if _, ok := raw[key]; !ok && key == "index" && a.Verb == VerbScroll {
			continue
		}
		if err := a.readKey(raw, key); err != nil {
			return fmt.Errorf("%s: %w", a.Verb, err)
		}
	}
	return nil
}

func (a *Action) readKey(raw map[string]json.RawMessage, key string) error {
	var s string
	switch key {
	case "index":
		var f float64
		if err := member(raw, key, &f, "a whole number: the element's, from 0"); err != nil {
			return err
		}
		if f != math.Trunc(f) || f < 0 || f > 1e6 {
			return fmt.Errorf("index is the number of an element, from 0, got %s", excerpt(raw[key]))
		}
		a.Index = int(f)
		return nil
	case "direction":
		if err := member(raw, key, &s, "up, down, left or right"); err != nil {
			return err
		}
		for dir := range Right + 1 {
			if dir.String() == s {
				a.Dir = dir
				return nil
			}
		}
		return fmt.Errorf("direction is up, down, left or right, got %s", excerpt(raw[key]))
	case "goal_status":
		if err := member(raw, key, &s, "complete or infeasible"); err != nil {
			return err
		}
		if a.Complete = s == "complete"; !a.Complete && s != "infeasible" {
			return fmt.Errorf("goal_status is complete or infeasible, got %s", excerpt(raw[key]))
		}
		return nil
	}
	if err := member(raw, key, &a.Text, "a string"); err != nil {
		return err
	}
	if len(a.Text) > maxReason {
		return fmt.Errorf("%s has %d bytes, at most %d are taken", key, len(a.Text), maxReason)
	}
	return nil
}

// member reads one member of an object.
func member(raw map[string]json.RawMessage, key string, dst any, what string) error {
	v, ok := raw[key]
	if !ok {
		return fmt.Errorf("%s is missing: %s", key, what)
	}
	if string(v) == "null" || json.Unmarshal(v, dst) != nil {
		return fmt.Errorf("%s is %s, got %s", key, what, excerpt(v))
	}
	return nil
}

// twice is a key that stands twice in a JSON object, or "": readers of JSON
// disagree on which counts.
func twice(object []byte) string {
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // the object is known to be one
	var seen []string
	for d.More() {
		t, _ := d.Token()
		key, _ := t.(string)
		if slices.Contains(seen, key) {
			return key
		}
		seen = append(seen, key)
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
	}
	return ""
}

// unknown names a key that the verb doesn't take.
func unknown(raw map[string]json.RawMessage, v Verb) error {
	var bad []string
	for key := range raw {
		if key != "action_type" && key != "reason" && !slices.Contains(keysOf[v], key) {
			bad = append(bad, excerpt([]byte(key)))
		}
	}
	if bad == nil {
		return nil
	}
	slices.Sort(bad)
	takes := "nothing but a reason"
	if keysOf[v] != nil {
		takes = strings.Join(keysOf[v], ", ") + " and a reason"
	}
	return fmt.Errorf("%s doesn't take %s: it takes %s", v, strings.Join(bad, ", "), takes)
}

func verbNames() string {
	out := make([]string, Verbs)
	for v := range noVerb {
		out[v] = v.String()
	}
	return strings.Join(out, ", ")
}

// excerpt is the start of what came, quoted where it isn't plain.
func excerpt(data []byte) string {
	const most = 60
	s := strings.ToValidUTF8(string(data), "\ufffd")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}

// Propose implements envs.Proposer.
func (g *Game) Propose(agent int, action []byte) error {
	m := &g.stored[agent]
	a, reason, err := ParseAction(action)
	if err == nil {
		err = g.d.Explain(a)
	}
	if err != nil {
		*m = message{kind: wasted, reason: reason, problem: err.Error()}
		return err
	}
	*m = g.proposed(a, reason)
	return nil
}

// proposed is the message of a legal action that was given in words.
func (g *Game) proposed(a Action, reason string) message {
	a = g.d.canonical(a)
	if a.Verb == VerbOpen {
		a.Text = g.d.appNamed(a.Text)
	}
	c, ok := g.choice(&g.d, a)
	if !ok {
		c = g.proposal()
	}
	return message{kind: playable, choice: c, action: a, reason: reason}
}

// ProposalChoice implements envs.Proposer.
func (g *Game) ProposalChoice() int32 { return g.proposal() }

// AppendAction implements envs.Proposer.
func (g *Game) AppendAction(dst []byte, agent int, choice int32) []byte {
	return g.meant(agent, choice).action.AppendJSON(dst)
}
