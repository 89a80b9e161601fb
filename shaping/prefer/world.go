package prefer

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// World is the world a model belongs to, as far as a model depends on it.
type World struct {
	Env        string         `json:"env"`         // "two-switch-v1"
	Params     map[string]any `json:"params"`      // resolved; strings, booleans and numbers
	Agents     []string       `json:"agents"`      // (agents,)
	ObsVersion int            `json:"obs_version"` // of the observation and state layout
	StateSize  int            `json:"state_size"`
	FocusSizes []int          `json:"focus_sizes"` // (agents,); empty where the world has no focus features
}

func (w *World) check() error {
	switch {
	case w.Env == "":
		return errors.New("the world has no id")
	case len(w.Agents) == 0 || len(w.Agents) > maxAgents:
		return fmt.Errorf("%d agents, want 1 to %d", len(w.Agents), maxAgents)
	case w.StateSize < 1 || w.StateSize > maxSize:
		return fmt.Errorf("state of %d elements, want 1 to %d", w.StateSize, maxSize)
	case len(w.FocusSizes) != 0 && len(w.FocusSizes) != len(w.Agents):
		return fmt.Errorf("%d focus sizes for %d agents", len(w.FocusSizes), len(w.Agents))
	}
	for _, n := range w.FocusSizes {
		if n < 1 || n > maxSize {
			return fmt.Errorf("%d focus features, want 1 to %d", n, maxSize)
		}
	}
	for name, v := range w.Params {
		if !scalar(v) {
			return fmt.Errorf("parameter %.40q is %T, want a string, boolean or number", name, v)
		}
	}
	return nil
}

func scalar(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) <= maxText
	case bool:
		return true
	}
	f, ok := number(v)
	return ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// number reads any numeric type as float64.
func number(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

// differs says how the model's world w differs from another; "" when a model of
// one fits the other. max_cycles is left out: transitions are collected with
// the limit off, and σ doesn't know the time. Focus sizes are compared unless
// those of got are nil.
func (w *World) differs(got World) string {
	var all []string
	add := func(what string, model, world any) {
		all = append(all, fmt.Sprintf("%s: %v in the model, %v here", what, model, world))
	}
	if w.Env != got.Env {
		add("world", w.Env, got.Env)
		return all[0]
	}
	for _, name := range paramNames(w.Params, got.Params) {
		if a, b := w.Params[name], got.Params[name]; !sameValue(a, b) {
			add("parameter "+name, show(a), show(b))
		}
	}
	if !slices.Equal(w.Agents, got.Agents) {
		add("agents", w.Agents, got.Agents)
	}
	if w.ObsVersion != got.ObsVersion {
		add("observation version", w.ObsVersion, got.ObsVersion)
	}
	if w.StateSize != got.StateSize {
		add("state elements", w.StateSize, got.StateSize)
	}
	if got.FocusSizes != nil && !slices.Equal(w.FocusSizes, got.FocusSizes) {
		add("focus features", w.FocusSizes, got.FocusSizes)
	}
	return strings.Join(all, "; ")
}

func paramNames(a, b map[string]any) []string {
	var names []string
	for _, m := range []map[string]any{a, b} {
		for name := range m {
			if name != "max_cycles" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// sameValue compares parameters; numbers by value, whatever their type.
func sameValue(a, b any) bool {
	x, ok := number(a)
	if y, also := number(b); ok && also {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

func show(v any) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%.60s", fmt.Sprint(v))
}
