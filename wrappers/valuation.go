package wrappers

import (
	"fmt"

	"marlpit/envs"
)

// valuation is what the games of a session share: how joint actions are valued
// and split.
type valuation struct {
	WhatIf
	split    split
	baseline envs.Actions // (agents, dims)
	noop     envs.Actions // (agents, dims)
	cap      float64      // of the least remaining work
}

// newValuation checks what the world lacks, and adds what it found out to
// resolved. template is played.
func newValuation(template envs.Env, r Reward, how split, resolved map[string]any) (*valuation, error) {
	spec := template.Spec()
	refuse := func(format string, a ...any) (*valuation, error) {
		return nil, fmt.Errorf("%w: %s: "+format, append([]any{ErrReward, r.Scheme}, a...)...)
	}
	if _, ok := envs.As[envs.Cloner](template); !ok {
		return refuse("%s can't be copied", spec.ID)
	}
	v := &valuation{WhatIf: r.WhatIf, split: how, noop: noopAction(spec)}
	v.baseline = v.noop
	if r.Baseline == DefaultBaseline {
		a, err := defaultAction(spec, r.DefaultAction)
		if err != nil {
			return refuse("default_action: %w", err)
		}
		v.baseline = a
		resolved["default_action"] = choiceNames(spec, a)
	}
	if err := r.CheckCopies(len(spec.Agents), 1); err != nil {
		return nil, err
	}
	resolved["world_steps"] = r.steps(len(spec.Agents))
	switch {
	case r.Value == WorkValue:
		m, err := measureWork(template)
		if err != nil {
			return refuse("value work: %w; the values return and team need no solver", err)
		}
		v.cap = m.cap
		resolved["work_cap"] = m.cap
	case r.solved():
		if _, err := solverOf(template); err != nil {
			return refuse("policy best: %w; the policies random and noop need no solver", err)
		}
	}
	return v, nil
}
