package wrappers

import (
	"fmt"
	"strings"
)

// maxWorldSteps is the most steps of the world that one step of a session may
// take, all its copies together: about a second of a simple world's on one core.
const maxWorldSteps = 1_000_000

// steps is the most steps of the world that a step of n agents takes, its own aside.
func (w *WhatIf) steps(n int) int {
	values := n + 1
	if w.Samples > 0 {
		values = 1 << min(n, exactPlayers)
		if n > exactPlayers {
			values = max(values, w.Samples*(n-1)+2)
		}
	}
	switch {
	case w.random():
		return values * w.Rollouts * w.Horizon
	case w.Value == ReturnValue:
		return values * w.Horizon
	}
	return values
}

// CheckCopies returns an error wrapping ErrReward where a step of so many games
// of a number of agents each would take too many steps of the world. Only
// difference and shapley take any.
func (r Reward) CheckCopies(agents, copies int) error {
	if r.WhatIf.Value == "" {
		return nil
	}
	each := r.steps(agents)
	most := maxWorldSteps / each
	if copies <= most {
		return nil
	}
	var lower []string
	if most > 0 {
		lower = append(lower, fmt.Sprintf("num_envs to %d", most))
	}
	for _, o := range []struct {
		name  string
		value int
		costs bool
	}{
		{"horizon", r.Horizon, r.WhatIf.Value == ReturnValue}, {"rollouts", r.Rollouts, r.random()}, {"samples", r.Samples, r.Samples > 0 && agents > exactPlayers},
	} {
		if o.costs && o.value > 1 {
			lower = append(lower, fmt.Sprintf("%s (%d)", o.name, o.value))
		}
	}
	of := ""
	if copies > 1 {
		of = fmt.Sprintf(" (%d copies, %d each)", copies, each)
	}
	return fmt.Errorf("%w: %s: a step could take %d steps of the world%s, the limit is %d: lower %s",
		ErrReward, r.Scheme, each*copies, of, maxWorldSteps, strings.Join(lower, " or "))
}
