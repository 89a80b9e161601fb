package wrappers

import (
	"fmt"
	"slices"
	"strings"
)

// ParseReward reads a scheme as a request gives it: nil is team, a text is a
// preset's name, a map has the key scheme and options. It
// returns an error wrapping ErrReward, which lists what exists, for anything
// unknown, out of range or not a number.
func ParseReward(v any) (Reward, error) {
	switch v := v.(type) {
	case nil:
		return ParseReward("team")
	case string:
		return parseOptions(v, nil)
	case map[string]any:
		name, ok := v["scheme"].(string)
		if !ok {
			return Reward{}, fmt.Errorf("%w: an object needs a scheme: one of %s", ErrReward, strings.Join(Schemes(), ", "))
		}
		return parseOptions(name, v)
	}
	return Reward{}, fmt.Errorf("%w: want the name of a scheme or an object with one, got %s", ErrReward, show(v))
}

func parseOptions(name string, options map[string]any) (Reward, error) {
	s, err := findScheme(name)
	if err != nil {
		return Reward{}, err
	}
	form := name == "credit" // takes it, also where it turns the scheme into add
	if form && options["form"] == Add {
		if s, err = findScheme("add"); err != nil {
			return Reward{}, err
		}
	}
	var unknown []string
	for option := range options {
		if option != "scheme" && !(option == "form" && form) && !s.takes(option) {
			unknown = append(unknown, option)
		}
	}
	if len(unknown) > 0 {
		return Reward{}, fmt.Errorf("%w: %s has no option %.40q: %s", ErrReward, s.name, slices.Min(unknown), s.list())
	}
	r := s.defaults()
	if err := r.read(options); err != nil {
		return Reward{}, err
	}
	if s.takes("value") {
		if r.WhatIf, err = parseWhatIf(s, options); err != nil {
			return Reward{}, err
		}
	}
	if s.takes("critic") {
		if r.Process, err = parseProcess(options); err != nil {
			return Reward{}, err
		}
	}
	if v, ok := options["live"]; ok && v != nil {
		if r.Live, err = parseLive(v); err != nil {
			return Reward{}, err
		}
		if r.Model != "" {
			return Reward{}, fmt.Errorf("%w: live makes its own model: leave out model", ErrReward)
		}
	}
	if s.difference() && r.Form == Replace && r.Terminal == ZeroAtEnd {
		return Reward{}, errConstant
	}
	return r, nil
}

// errConstant refuses the combination that carries no signal.
var errConstant = fmt.Errorf("%w: form replace with terminal zero: the sum of γ^t·(γσ(s') − σ(s)) over an episode that terminates would be the constant −σ(s0), "+
	"whatever the agents do, so that the reward would say nothing. Use terminal value with replace, or the scheme add, where σ is zero at the end", ErrReward)

func (s scheme) list() string {
	if len(s.options) == 0 {
		return "it has none"
	}
	return "there are " + strings.Join(s.options, ", ")
}

func (s scheme) defaults() Reward {
	r := Reward{Scheme: s.name}
	for _, o := range s.options {
		switch o {
		case "scale":
			r.Scale = 0.1
			if s.takes("value") {
				r.Scale = 1
			}
		case "weight":
			r.Weight = 0.1
		case "bonus":
			r.Bonus = 1
		case "step_cost":
			r.StepCost = 0.01
		}
	}
	if s.difference() {
		r.Form, r.Gamma, r.Terminal = Replace, 1, ValueAtEnd
		if s.name == "add" {
			r.Form, r.Gamma, r.Terminal = Add, 0.99, ZeroAtEnd
		}
	}
	return r
}

func (r *Reward) read(options map[string]any) error {
	err := readNumbers("", options,
		number{"scale", 0, 1000, above, into(&r.Scale)}, number{"weight", 0, 1000, decimal, into(&r.Weight)}, number{"gamma", 0, 1, decimal, into(&r.Gamma)},
		number{"bonus", 0, 1000, decimal, into(&r.Bonus)}, number{"step_cost", 0, 1000, decimal, into(&r.StepCost)},
	)
	if err != nil {
		return err
	}
	for _, t := range []struct {
		name string
		dst  *string
		of   []string
	}{
		{"model", &r.Model, nil}, {"form", &r.Form, []string{Replace, Add}}, {"terminal", &r.Terminal, []string{ValueAtEnd, ZeroAtEnd}},
	} {
		v, ok := options[t.name]
		if !ok {
			continue
		}
		s, ok := v.(string)
		if !ok || t.of != nil && !slices.Contains(t.of, s) {
			want := "a text"
			if t.of != nil {
				want = strings.Join(t.of, " or ")
			}
			return fmt.Errorf("%w: %s is %s, got %s", ErrReward, t.name, want, show(v))
		}
		*t.dst = s
	}
	return nil
}

func show(v any) string {
	if v == nil {
		return "nothing"
	}
	s := fmt.Sprint(v)
	if t, ok := v.(string); ok {
		s = fmt.Sprintf("%.60q", t)
	}
	return strings.ToValidUTF8(fmt.Sprintf("%.80s", s), "\ufffd")
}
