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

// aims are the goals of a transition: those of the state before, but where
// others would have been as good there, those of the state after, so that ties
// are broken the way they were played.
func (g *Game) aims(before, after *State) goals {
	to := g.goals(before)
	if !g.exact || g.sites || before.places() != after.places() {
		return to
	}
	then := g.goals(after)
	for i, next := range then[:g.agents] {
		if next != to[i] && next != none && !before.isDone(g.world, int(next)) && g.asGood(before, i, int(next)) {
			to[i] = next
		}
	}
	return to
}

// asGood says whether a plan of least work may begin, for one agent, with a job:
// if going there costs what it saves.
func (g *Game) asGood(s *State, agent, job int) bool {
	total := g.remaining(s)
	if total >= far {
		return false
	}
	there := *s
	row := g.planner(s).row(g.world, all(g.blockers()), s.At[agent])
	for c, steps := range row {
		if there.At[agent] = int16(c); steps < far && s.works(g.world, job, int16(c)) && int(steps)+g.remaining(&there) == total {
			return true
		}
	}
	return false
}

// DenseRewards implements envs.DenseRewarder: 0.1 for each move that brings the
// agent nearer to having done its sub-goal, the deed itself included, and minus
// as much for each that takes it away.
func (g *Game) DenseRewards(dst []float32) {
	to := g.aims(&g.before, &g.now)
	for i := range dst {
		dst[i] = 0
		if j := to[i]; j != none && !g.before.out(i) {
			nearer := g.left(&g.before, i, int(j)) - g.left(&g.now, i, int(j))
			dst[i] = 0.1 * float32(min(1, max(-1, nearer))) // more at once: it died, or another did it
		}
	}
}

// left is the number of moves, the deed included, that a job takes an agent.
func (g *Game) left(s *State, agent, job int) int {
	if s.isDone(g.world, job) {
		return 0
	}
	return g.walk(s, agent, job) + 1
}

// lost is the number of steps where there is no way.
const lost = 998

// walk is the number of steps from an agent's cell to where a job is done, if all ways were free.
func (g *Game) walk(s *State, agent, job int) int {
	return min(int(g.planner(s).steps[job][s.At[agent]]), lost)
}
