package twoswitch

import "marlpit/envs"

// BoundName implements envs.Bounder.
func (g *Game) BoundName() string {
	if g.held {
		return "estimate: all steps of the cheapest plan that keeps the door open"
	}
	return "all steps of the cheapest plan, which is the least work"
}

// Bound implements envs.Bounder.
func (g *Game) Bound() float64 {
	s := &g.now
	if g.held {
		return float64(min(g.heldPlan(s).cost, envs.SolverCap))
	}
	return float64(g.latchedPlan(s).cost)
}
