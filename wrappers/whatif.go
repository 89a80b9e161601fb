package wrappers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What the schemes difference and shapley may call the value of a joint action.
const (
	WorkValue   = "work"   // minus the least remaining work after the step
	ReturnValue = "return" // the team's return of a roll-out that begins with the step
	TeamValue   = "team"   // the team reward of the step
)

// Who acts in a roll-out after its first step.
const (
	RandomPolicy = "random" // everybody at random, uniformly over what is legal
	NoopPolicy   = "noop"   // nobody
	BestPolicy   = "best"   // everybody as the world's solver says
)

// What an agent does where its own action is taken out.
const (
	NoopBaseline    = "noop"    // nothing; of a box, the point nearest to 0
	DefaultBaseline = "default" // the default action
)

// WhatIf holds the options of the schemes difference and shapley, which play
// other joint actions in copies of the game and pay an agent for what its own
// action made of the step.
//
// The value v of a joint action is minus the least remaining work after the
// step, capped as the oracle's (work); the return Σ discount^t·(team reward) of
// a roll-out of horizon steps that begins with the step (return); or the team
// reward of the step (team). A sparse team reward is 0 in nearly every step, and
// so is a credit made of it: hence the default, work, which only a world with a
// solver has.
//
// Where an agent's action is taken out, it does nothing (baseline noop), or the
// choices that default_action names (baseline default, which naming them
// implies): a text or a list of texts for everybody, or an object that gives
// agents or roles their own. A dimension without a name does nothing, and so
// does a default that is illegal at the time.
//
//	value           work | return | team, work
//	baseline        noop | default, noop
//	default_action  names of choices
//	horizon         1 … 1000, 10; of value return
//	policy          random | noop | best, random; of value return
//	rollouts        1 … 100, 1; of policy random: v is the mean over them
//	discount        [0, 1], 1; of value return
//	samples         1 … 1000, 16; of shapley: orders drawn where more than 6 play
//	seed            0 … 2^53, 0; of random roll-outs and of orders
//
// Players are the agents alive that act otherwise than the baseline does; the
// credit of others is 0 in either scheme. A step takes players + 1 values for
// difference; 2^players for shapley up to 6 players, then samples·(players − 1) + 2.
// A value is a copy of the game and a step of it; with return, rollouts of each
// and horizon steps a roll-out. Build reports the most as world_steps; with
// more than 1,000,000 for all copies of a session together it is refused.
//
// A copy has the game's random stream, which is itself left alone: chance falls
// in a copy as in the game for as long as both draw alike. So v tells what an
// action made of this very step with the luck it had, not of the step on
// average. The roll-outs of one step share their draws among the values, and
// differ from step to step; they depend on seed, the episode's seed and the
// number of the step.
type WhatIf struct {
	Value         string              `json:"value,omitempty"`
	Baseline      string              `json:"baseline,omitempty"`
	DefaultAction map[string][]string `json:"default_action,omitempty"` // agent, role, or "" for everybody → names of choices
	Horizon       int                 `json:"horizon,omitempty"`
	Policy        string              `json:"policy,omitempty"`
	Rollouts      int                 `json:"rollouts,omitempty"`
	Discount      float64             `json:"discount,omitempty"`
	Samples       int                 `json:"samples,omitempty"` // 0 in difference
	Seed          uint64              `json:"seed,omitempty"`
}

var whatIfOptions = []string{
	"value", "baseline", "default_action", "horizon", "policy", "rollouts", "discount", "seed", "scale", "bonus", "step_cost",
}

// parseWhatIf reads the options of a scheme that has them.
func parseWhatIf(s scheme, options map[string]any) (WhatIf, error) {
	w := WhatIf{Value: WorkValue, Baseline: NoopBaseline, Horizon: 10, Policy: RandomPolicy, Rollouts: 1, Discount: 1}
	if s.takes("samples") {
		w.Samples = 16
	}
	if v, ok := options["default_action"]; ok {
		named, err := parseDefault(v)
		if err != nil {
			return w, err
		}
		w.Baseline, w.DefaultAction = DefaultBaseline, named
	}
	for _, t := range []struct {
		name string
		dst  *string
		of   []string
	}{
		{"value", &w.Value, []string{WorkValue, ReturnValue, TeamValue}},
		{"baseline", &w.Baseline, []string{NoopBaseline, DefaultBaseline}},
		{"policy", &w.Policy, []string{RandomPolicy, NoopPolicy, BestPolicy}},
	} {
		if v, ok := options[t.name]; ok {
			text, ok := v.(string)
			if !ok || !slices.Contains(t.of, text) {
				return w, fmt.Errorf("%w: %s is one of %s, got %s", ErrReward, t.name, strings.Join(t.of, ", "), show(v))
			}
			*t.dst = text
		}
	}
	if w.Baseline == DefaultBaseline && w.DefaultAction == nil {
		return w, fmt.Errorf("%w: baseline default needs default_action: the name of a choice, or an object of agents or roles and names", ErrReward)
	}
	err := readNumbers("", options,
		number{"horizon", 1, 1000, whole, into(&w.Horizon)}, number{"rollouts", 1, 100, whole, into(&w.Rollouts)},
		number{"samples", 1, 1000, whole, into(&w.Samples)}, number{"seed", 0, 1 << 53, whole, into(&w.Seed)},
		number{"discount", 0, 1, decimal, into(&w.Discount)},
	)
	if err != nil {
		return w, err
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if of := w.of(name); of != "" {
			return w, fmt.Errorf("%w: %s is an option of %s only", ErrReward, name, of)
		}
	}
	return w, nil
}

// of says what else has to be chosen for an option to have a meaning; "" where
// it has one.
func (w *WhatIf) of(option string) string {
	switch option {
	case "default_action":
		if w.Baseline != DefaultBaseline {
			return "baseline default"
		}
	case "horizon", "policy", "discount":
		if w.Value != ReturnValue {
			return "value return"
		}
	case "rollouts":
		if !w.random() {
			return "value return with policy random"
		}
	case "seed":
		if !w.random() && w.Samples == 0 {
			return "shapley, and of value return with policy random,"
		}
	}
	return ""
}

// random says whether values are drawn.
func (w *WhatIf) random() bool { return w.Value == ReturnValue && w.Policy == RandomPolicy }

// solved says whether values need the world's solver.
func (w *WhatIf) solved() bool {
	return w.Value == WorkValue || w.Value == ReturnValue && w.Policy == BestPolicy
}

// note writes the options that have a meaning.
func (w *WhatIf) note(out map[string]any) {
	all := map[string]any{
		"value": w.Value, "baseline": w.Baseline, "default_action": w.DefaultAction, "horizon": w.Horizon,
		"policy": w.Policy, "rollouts": w.Rollouts, "discount": w.Discount, "seed": w.Seed,
	}
	if w.Samples > 0 {
		all["samples"] = w.Samples
	}
	for name, v := range all {
		if w.of(name) == "" {
			out[name] = v
		}
	}
}
