package ui

import "marlpit/envs"

// Prepare implements envs.Solver: there is nothing to prepare.
func (g *Game) Prepare() error { return nil }

// carriers is the least number of proposals that carry an action through the
// votes when all others wait: half of the team, the first agent among them.
func (g *game) carriers() int { return (g.Agents + 1) / 2 }

// Remaining implements envs.Solver by the task's own solution.
func (g *Game) Remaining() (work, time float64) {
	actions, waits := g.d.try(nil, mostActions)
	if actions == Unreachable {
		return envs.SolverCap, envs.SolverCap
	}
	if g.d.status != Playing {
		return 0, 0
	}
	return float64((actions - waits) * g.carriers()), float64(actions*g.Rounds - g.round)
}

// AppendSolution implements envs.Guide.
func (g *Game) AppendSolution(dst []byte) []byte {
	if g.over() {
		return dst
	}
	return g.d.Solution().AppendJSON(dst)
}

// AppendBest implements envs.Solver: in the last round of each turn just enough
// agents propose what the solution does, and all else wait. An action without a
// number is stored as their proposal.
func (g *Game) AppendBest(dst []int32) []int32 {
	c := int32(choiceWait)
	if !g.over() && g.round == g.Rounds-1 {
		m := g.proposed(g.d.Solution(), "")
		if c = m.choice; c == g.proposal() {
			for i := range g.carriers() {
				g.stored[i] = m
			}
		}
	}
	for i := range g.Agents {
		if i < g.carriers() {
			dst = append(dst, c)
		} else {
			dst = append(dst, choiceWait)
		}
	}
	return dst
}
