package wrappers

import (
	"fmt"
	"slices"
	"strings"

	"marlpit/envs"
)

// parseDefault reads the option default_action.
func parseDefault(v any) (map[string][]string, error) {
	named := map[string][]string{}
	given, ok := v.(map[string]any)
	if !ok {
		given = map[string]any{"": v}
	}
	for key, v := range given {
		switch v := v.(type) {
		case string:
			named[key] = []string{v}
		case []string:
			named[key] = v
		case []any:
			for _, name := range v {
				text, ok := name.(string)
				if !ok {
					return nil, fmt.Errorf("%w: default_action: the name of a choice is a text, got %s", ErrReward, show(name))
				}
				named[key] = append(named[key], text)
			}
		default:
			return nil, fmt.Errorf("%w: default_action is the name of a choice, a list of names, or an object of agents or roles with these, got %s", ErrReward, show(v))
		}
		if len(named[key]) == 0 {
			return nil, fmt.Errorf("%w: default_action is empty", ErrReward)
		}
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("%w: default_action is empty", ErrReward)
	}
	return named, nil
}

// noopAction is the joint action that does nothing; of a box, the point nearest
// to 0.
func noopAction(s *envs.Spec) envs.Actions {
	a := envs.NewActions(s)
	copy(a.Choice, s.Noop)
	if s.Continuous() {
		dims := s.ActionDims()
		for i, space := range s.Action {
			for d := range space.Size() {
				low, high := space.Low[min(d, len(space.Low)-1)], space.High[min(d, len(space.High)-1)]
				a.Value[i*dims+d] = min(max(0, low), high)
			}
		}
	}
	return a
}

// defaultAction is the joint action of the choices that are named for agents,
// for roles, or under "" for everybody, the first of these that there is. A
// dimension without one does nothing.
func defaultAction(s *envs.Spec, named map[string][]string) (envs.Actions, error) {
	a := noopAction(s)
	if s.Continuous() {
		return a, fmt.Errorf("it names choices, and the actions of %s are boxes", s.ID)
	}
	for key := range named {
		if key != "" && !slices.Contains(s.Agents, key) && !slices.Contains(s.Roles, key) {
			return a, fmt.Errorf("%.40q is no agent and no role of %s: there are %s", key, s.ID, strings.Join(s.Agents, ", "))
		}
	}
	dims := s.ActionDims()
	for i, agent := range s.Agents {
		names, ok := named[agent]
		if !ok {
			if names, ok = named[s.Roles[i]]; !ok {
				names = named[""]
			}
		}
		if err := choose(a.Choice[i*dims:], s.Action[i].N, s.ActionName[i], names); err != nil {
			return a, fmt.Errorf("%s: %w", agent, err)
		}
	}
	return a, nil
}

// choose writes the named choices into dst (dims,); have are the names of all
// choices, dimension by dimension.
func choose(dst []int32, n []int, have, names []string) error {
	set := make([]bool, len(n))
	for _, name := range names {
		at := slices.Index(have, name)
		if at < 0 {
			return fmt.Errorf("there is no choice %.40q: %s (an object gives each agent or role its own)", name, envs.Among(name, have, ""))
		}
		d := 0
		for ; at >= n[d]; d++ {
			at -= n[d]
		}
		if set[d] {
			return fmt.Errorf("%.40q is the second choice of one dimension", name)
		}
		dst[d], set[d] = int32(at), true
	}
	return nil
}

// choiceNames gives each agent the names of its choices in a joint action.
func choiceNames(s *envs.Spec, a envs.Actions) map[string]any {
	out := map[string]any{}
	for i, agent := range s.Agents {
		at, names := 0, []string{}
		for d, n := range s.Action[i].N {
			names = append(names, s.ActionName[i][at+int(a.Choice[i*s.ActionDims()+d])])
			at += n
		}
		out[agent] = names
	}
	return out
}
