package victimrubble

import "slices"

// goals gives each agent the job it should be on its way to: the next of the
// plan of least work, or where that is out of reach the nearest that nobody
// before it has taken. It is what guided words name and what the expert pays for.
func (g *Game) goals(s *State) goals {
	var to goals
	p := g.planner(s)
	if g.exact && !s.success && !s.failed {
		p.plan(s, &to)
		return to
	}
	for i := range to {
		to[i] = none
	}
	for i := range g.agents {
		if s.out(i) || s.success || s.failed {
			continue
		}
		from, end := g.kin(i)
		best := far
		for j := from; j < end; j++ {
			steps := int(p.steps[j][s.At[i]])
			if slices.Contains(to[:i], goal(j)) {
				steps += far / 2 // rather one of its own
			}
			if !s.isDone(g.world, j) && steps < best {
				best, to[i] = steps, goal(j)
			}
		}
	}
	return to
}

// kin is the range of jobs of an agent's kind.
func (w *world) kin(agent int) (from, end int) {
	switch w.roles[agent] {
	case engineer:
		return w.jobs(agent, w.rubble)
	case medic:
		from, end = w.jobs(agent, w.victims)
		return w.rubble + from, w.rubble + end
	case keybearer:
		return w.rubble + w.victims, w.jobsAll()
	}
	return 0, 0
}

// isDone says whether a job is done.
func (s *State) isDone(w *world, job int) bool {
	switch {
	case job < w.rubble:
		return s.cleared(job)
	case job < w.rubble+w.victims:
		return s.healed(job - w.rubble)
	}
	return s.Open
}

// DenseRewards implements envs.DenseRewarder: 0.1 for each step nearer to the
// agent's sub-goal, minus as much for each step away from it, and 0.1 for its deed.
func (g *Game) DenseRewards(dst []float32) {
	to := g.goals(&g.before)
	steps := g.planner(&g.before).steps
	for i := range dst {
		dst[i] = 0
		if j := to[i]; j != none && !g.before.out(i) {
			dst[i] = 0.1 * float32(steps[j][g.before.At[i]]-steps[j][g.now.At[i]])
			if !g.before.isDone(g.world, int(j)) && g.now.isDone(g.world, int(j)) {
				dst[i] += 0.1
			}
		}
	}
}
