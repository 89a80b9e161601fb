package envtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marlpit/envs"
)

// build builds the environment from words key=value; values are JSON, or else text.
func (s *script) build(words []string) error {
	params := map[string]any{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("params: %q: want key=value", w)
		}
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		params[key] = value
	}
	e, err := s.entry.New(params)
	s.env, s.p = e, nil
	return err
}

// step plays words agent=choice, repeated when the last word is xN.
func (s *script) step(words []string) error {
	times := 1
	if n := len(words); n > 0 && !strings.Contains(words[n-1], "=") {
		k, err := strconv.Atoi(strings.TrimPrefix(words[n-1], "x"))
		if err != nil || k < 1 || words[n-1][0] != 'x' {
			return fmt.Errorf("step: %q: want agent=choice or xN", words[n-1])
		}
		times, words = k, words[:n-1]
	}
	spec := s.env.Spec()
	copy(s.p.act.Choice, spec.Noop)
	fill(s.p.act.Value, 0)
	for _, w := range words {
		who, what, _ := strings.Cut(w, "=")
		i := slices.Index(spec.Agents, who)
		if i < 0 && who != "*" {
			return fmt.Errorf("step: no agent %q: there are %s", who, strings.Join(spec.Agents, ", "))
		}
		for k := range spec.Agents {
			if k != i && who != "*" {
				continue
			}
			if err := setAction(spec, s.p.act, k, what); err != nil {
				return err
			}
		}
	}
	for range times {
		s.p.step(s.p.act)
	}
	return nil
}

// setAction reads the choices of one agent, one for each dimension.
func setAction(spec *envs.Spec, a envs.Actions, agent int, text string) error {
	space, dims := spec.Action[agent], spec.ActionDims()
	parts := strings.Split(text, ",")
	if len(parts) != space.Size() {
		return fmt.Errorf("step: %s=%s: want %d choices joined by commas", spec.Agents[agent], text, space.Size())
	}
	offset := 0
	for d, part := range parts {
		at := agent*dims + d
		if space.Kind == envs.Box {
			v, err := strconv.ParseFloat(part, 32)
			if err != nil {
				return fmt.Errorf("step: %s=%s: %w", spec.Agents[agent], text, err)
			}
			a.Value[at] = float32(v)
			continue
		}
		names := spec.ActionName[agent][offset : offset+space.N[d]]
		c := slices.IndexFunc(names, func(n string) bool { return strings.ReplaceAll(n, " ", "_") == part })
		if c < 0 {
			return fmt.Errorf("step: %s has no choice %q: there are %s", spec.Agents[agent], part, strings.Join(names, ", "))
		}
		a.Choice[at] = int32(c)
		offset += space.N[d]
	}
	return nil
}
