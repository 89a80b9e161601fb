package victimrubble

import (
	"fmt"

	"marlpit/envs"
)

// The largest tables that are made: distances and tours for good, or for each
// episode where places are drawn; nodes of a plan; and steps of sharing victims out.
const (
	maxTable   = 8_000_000
	maxDrawn   = 500_000
	maxNodes   = 200_000
	maxSharing = 500_000
)

// tables are the numbers that are limited: elements of tables, nodes, sharings.
func (w *world) tables() (elements, nodes, sharings int) {
	sets, cells := 1<<w.blockers(), w.cells.Len()
	sharings = sets << w.victims
	if w.params.Medics > 1 {
		sharings = sets * w.params.Medics
		for range w.victims {
			sharings = min(3*sharings, 1<<40)
		}
	}
	return sets * (cells*cells + w.victims<<w.victims), w.nodes(), sharings
}

func (w *world) tabled() bool {
	elements, nodes, _ := w.tables()
	return !w.sites && nodes <= maxNodes && elements <= w.mostElements()
}

func (w *world) mostElements() int {
	if w.random {
		return maxDrawn
	}
	return maxTable
}

// Prepare implements envs.Solver. With sites there is a formula for any number
// of pairs.
func (g *Game) Prepare() error {
	if !g.exact {
		elements, nodes, sharings := g.tables()
		return fmt.Errorf("%w: victim-rubble-v1 with these parameters has %d distances, %d joint states of engineers and rubble, and %d ways to share out victims; the limits are %d, %d and %d",
			envs.ErrTooLarge, elements, nodes, sharings, g.mostElements(), maxNodes, maxSharing)
	}
	g.planner(&g.now)
	return nil
}

// planner is the game's planner, ready for the places of a state.
func (g *Game) planner(s *State) *planner {
	if g.plans == nil {
		p := g.ways
		if p == nil {
			p = new(paths)
		}
		g.plans = newPlanner(g.world, p)
		if g.ways != nil {
			p.once.Do(func() { p.ready(g.world, s) })
			g.plans.settleSpots(s)
		}
	}
	if g.ways == nil && !(g.plans.made && g.plans.of == s.places()) {
		g.plans.ready(g.world, s)
		g.plans.settleSpots(s)
	}
	return g.plans
}

// ready makes what the world is small enough for.
func (p *paths) ready(w *world, s *State) {
	if w.tabled() {
		p.tabulate(w, s)
	} else {
		p.make(w, s)
	}
}

// remaining is the least work from a state; far where there is no success.
func (g *Game) remaining(s *State) int {
	switch {
	case s.success:
		return 0
	case s.failed:
		return far
	}
	return g.planner(s).plan(s, nil)
}

// Remaining implements envs.Solver. Time is a lower bound: what the longest
// rescue takes if nobody has to do anything else.
func (g *Game) Remaining() (work, time float64) {
	n := g.remaining(&g.now)
	if n >= far {
		return envs.SolverCap, envs.SolverCap
	}
	return float64(n), float64(g.soonest(&g.now))
}

// soonest is a lower bound of the steps to success from a state that has it in reach.
func (g *Game) soonest(s *State) int {
	p, steps := g.planner(s), 0
	for k := range g.victims {
		if s.healed(k) {
			continue
		}
		steps = max(steps, p.nearest(s, medic, k, g.rubble+k)+1)
		if k < g.rubble && len(g.gaps) > 0 && !s.cleared(k) {
			// The medic waits before the gap, then steps into it, into the alcove, and heals.
			steps = max(steps, 3+max(p.nearest(s, engineer, k, k)+1, p.nearest(s, medic, k, k)))
		}
	}
	return steps
}

// nearest is how far the nearest agent of a role, who may do the k-th job, is from a job.
func (p *planner) nearest(s *State, r role, k, job int) int {
	steps := far
	for i, has := range p.roles {
		if has == r && !s.out(i) && (!p.sites || p.pair(i) == k) {
			steps = min(steps, int(p.steps[job][s.At[i]]))
		}
	}
	return steps
}

// AppendBest implements envs.Solver: agent by agent, the first choice that is
// worth the move beside those of the agents before it.
func (g *Game) AppendBest(dst []int32) []int32 {
	var choice [maxAgents]int32
	if g.now.ended || g.remaining(&g.now) >= far {
		return append(dst, choice[:g.agents]...)
	}
	left := g.remaining(&g.now)
	for i := range g.agents {
		if g.now.out(i) {
			continue
		}
		for c := int32(len(g.spec.ActionName[i])) - 1; c > 0; c-- {
			choice[i] = c
			after := g.now
			after.play(g.world, choice[:])
			if g.remaining(&after) == left-1 {
				left--
				break
			}
			choice[i] = 0
		}
	}
	return append(dst, choice[:g.agents]...)
}

// BoundName implements envs.Bounder.
func (g *Game) BoundName() string {
	return "estimate: each agent's way to its own next goal, and one for each job that is left"
}

// Bound implements envs.Bounder.
func (g *Game) Bound() float64 {
	s := &g.now
	switch {
	case s.success:
		return 0
	case s.failed:
		return envs.SolverCap
	}
	p, work := g.planner(s), 0
	for i, j := range g.goals(s) {
		if j != none {
			work += int(p.steps[j][s.At[i]])
		}
	}
	for j := range g.jobsAll() {
		if !s.isDone(g.world, j) {
			work++
		}
	}
	return float64(min(work, envs.SolverCap))
}
