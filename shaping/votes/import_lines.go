package votes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// recordedHead is the first line.
type recordedHead struct {
	Format     *int           `json:"marlpit_transitions"`
	Env        string         `json:"env"`
	Params     map[string]any `json:"params"`
	Agents     []string       `json:"agents"`
	StateSize  int            `json:"state_size"`
	FocusSizes []int          `json:"focus_sizes"`
	Frames     int64          `json:"frames"`
}

func (in *recording) head(line []byte) error {
	var h recordedHead
	if err := decode(line, &h); err != nil {
		return err
	}
	switch {
	case h.Format == nil:
		return errors.New(`no recording of transitions: it begins with {"marlpit_transitions":1, …}`)
	case *h.Format != recordingFormat:
		return fmt.Errorf("marlpit_transitions: version %d, this program reads %d", *h.Format, recordingFormat)
	case !nameable(h.Env):
		return fmt.Errorf("env: want a name of at most %d bytes, got %.40q", maxName, h.Env)
	case len(h.Agents) < 1 || len(h.Agents) > maxAgents:
		return fmt.Errorf("agents: %d of them, want 1 to %d", len(h.Agents), maxAgents)
	case h.StateSize < 1 || h.StateSize > maxFeatures:
		return fmt.Errorf("state_size: %d, want 1 to %d", h.StateSize, maxFeatures)
	case len(h.FocusSizes) != 0 && len(h.FocusSizes) != len(h.Agents):
		return fmt.Errorf("focus_sizes: %d for %d agents", len(h.FocusSizes), len(h.Agents))
	case h.Frames < 1 || h.Frames > maxFrames:
		return fmt.Errorf("frames: %d, want 1 to %d", h.Frames, int64(maxFrames))
	}
	for i, name := range h.Agents {
		for _, other := range h.Agents[:i] {
			if name == other {
				return fmt.Errorf("agents: two are named %.40q", name)
			}
		}
		if !nameable(name) {
			return fmt.Errorf("agents[%d]: want a name of at most %d bytes, got %.40q", i, maxName, name)
		}
	}
	for i, n := range h.FocusSizes {
		if n < 1 || n > maxFeatures {
			return fmt.Errorf("focus_sizes[%d]: %d, want 1 to %d", i, n, maxFeatures)
		}
	}
	for name, v := range h.Params {
		if !nameable(name) {
			return fmt.Errorf("params: want names of at most %d bytes, got %.40q", maxName, name)
		}
		switch s := v.(type) {
		case bool, float64:
		case string:
			if len(s) > maxValue {
				return fmt.Errorf("params.%.40s: a text of %d bytes, want at most %d", name, len(s), maxValue)
			}
		default:
			return fmt.Errorf("params.%.40s: want a text, a number or a boolean", name)
		}
	}
	if h.Params == nil {
		h.Params = map[string]any{}
	}
	in.frames = h.Frames
	in.world = World{Env: h.Env, Params: h.Params, Agents: h.Agents, ObsVersion: 1, StateSize: h.StateSize, FocusSizes: h.FocusSizes}
	return nil
}

// nameable says whether a text may name something in a table.
func nameable(s string) bool {
	return s != "" && len(s) <= maxName && s == strings.TrimSpace(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// recordedLine is a transition.
type recordedLine struct {
	A        features         `json:"a"`
	B        features         `json:"b"`
	Terminal *bool            `json:"terminal"`
	Truth    *float64         `json:"truth"`
	Agents   []*recordedAgent `json:"agents"`
}

// recordedAgent is an agent's side of it.
type recordedAgent struct {
	Guided []string `json:"guided"`
	Plain  []string `json:"plain"`
	FocusA features `json:"focus_a"`
	FocusB features `json:"focus_b"`
	Truth  *float64 `json:"truth"`
	Family string   `json:"family"`
}

// features is a list of numbers. What is none becomes NaN, for check to refuse
// by the field's name: the decoder would leave zeros in the places of null.
type features []float32

// UnmarshalJSON implements json.Unmarshaler.
func (f *features) UnmarshalJSON(b []byte) error {
	if bytes.Contains(b, []byte("null")) || json.Unmarshal(b, (*[]float32)(f)) != nil {
		*f = features{float32(math.NaN())}
	}
	return nil
}

func (f features) check(field string, want int) error {
	for _, v := range f {
		if !(v >= -maxFeature && v <= maxFeature) {
			return fmt.Errorf("%s: want numbers from %v to %v", field, -maxFeature, maxFeature)
		}
	}
	if len(f) != want {
		return fmt.Errorf("%s: %d numbers, want %d", field, len(f), want)
	}
	return nil
}

// bothOf checks the features of both states.
func bothOf(a, b features, prefix string, want int) error {
	if err := a.check(prefix+"a", want); err != nil {
		return err
	}
	return b.check(prefix+"b", want)
}

func (in *recording) transition(line []byte) error {
	var l recordedLine
	if err := decode(line, &l); err != nil {
		return err
	}
	if err := bothOf(l.A, l.B, "", in.world.StateSize); err != nil {
		return err
	}
	switch {
	case l.Terminal == nil:
		return errors.New("terminal: missing, want true or false")
	case len(l.Agents) != len(in.world.Agents):
		return fmt.Errorf("agents: %d of them, want %d", len(l.Agents), len(in.world.Agents))
	case slices.Equal(l.A, l.B):
		return errors.New("a and b are equal: nothing changed")
	}
	key := PairKey(l.A, l.B)
	if in.pairs[key] {
		return nil
	}
	in.pairs[key] = true
	t := Transition{StateA: l.A, StateB: l.B, Terminal: *l.Terminal, Step: -1}
	for i, a := range l.Agents {
		if a == nil {
			continue
		}
		agent, err := in.agent(i, a)
		if err != nil {
			return fmt.Errorf("agents[%d].%w", i, err)
		}
		t.Agents = append(t.Agents, agent)
	}
	if len(t.Agents) == 0 {
		return errors.New("agents: all are null, nobody is asked about")
	}
	t.Agents = append(t.Agents, Agent{Index: Team, Truth: in.known(l.Truth)})
	in.out = append(in.out, t)
	return nil
}

func (in *recording) agent(i int, a *recordedAgent) (Agent, error) {
	out := Agent{Index: i, Truth: in.known(a.Truth), Family: a.Family}
	for _, w := range []struct {
		field string
		words []string
		into  *[2]string
	}{{"guided", a.Guided, &out.Guided}, {"plain", a.Plain, &out.Plain}} {
		if len(w.words) != 2 {
			return out, fmt.Errorf("%s: %d texts, want 2: forwards and backwards", w.field, len(w.words))
		}
		for k, text := range w.words {
			if strings.TrimSpace(text) == "" || len(text) > maxWords {
				return out, fmt.Errorf("%s[%d]: a text of %d bytes, want words, at most %d bytes", w.field, k, len(text), maxWords)
			}
			w.into[k] = text
		}
	}
	if a.Family != "" && !nameable(a.Family) {
		return out, fmt.Errorf("family: want a name of at most %d bytes, got %.40q", maxName, a.Family)
	}
	size := 0
	if len(in.world.FocusSizes) > 0 {
		size = in.world.FocusSizes[i]
	}
	if err := bothOf(a.FocusA, a.FocusB, "focus_", size); err != nil {
		return out, err
	}
	out.FocusA, out.FocusB = a.FocusA, a.FocusB
	return out, nil
}

// known is a truth, NaN where there is none.
func (in *recording) known(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	in.truth = true
	return *x
}
