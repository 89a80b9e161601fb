package victimrubble

// A plan of least work has two parts, for medics open nothing: engineers and
// the key-bearer open a set of heaps and the door, then medics heal. Each part
// may be played one agent after the other, since agents don't block each other.

// goal is the job an agent is on its way to: the number of a heap, of a victim
// or of the door, as in paths; none where the plan has nothing left for it.
type goal int16

const none goal = -1

// goals are the jobs that come next for each agent.
type goals [maxAgents]goal

// plan is the least work to success from a state without end, and, if to is
// given, the goals of a plan that takes it. far: there is none.
func (q *planner) plan(s *State, to *goals) int {
	if to != nil {
		for i := range to {
			to[i] = none
		}
	}
	if q.sites {
		return q.planSites(s, to)
	}
	start := q.open(s)
	q.clearWay(s, start)
	best, bestNode := far, -1
	for set := start; set < uint32(1)<<q.blockers(); set = (set + 1) | start {
		node, opened := q.cheapest(set)
		if opened >= far || int(opened) >= best {
			continue
		}
		if n := int(opened) + int(q.heal(s, set)); n < best {
			best, bestNode = n, node
		}
	}
	if bestNode >= 0 && to != nil {
		set := uint32(bestNode / q.code)
		q.heal(s, set)
		q.healers(s, set, to)
		for n := int32(bestNode); q.from[n] >= 0; n = q.from[n] {
			agent, job := int(q.deed[n])/maxJobs, goal(int(q.deed[n])%maxJobs)
			to[agent] = job // the last one written comes first
		}
	}
	return best
}

// maxJobs is more than the heaps, victims and door of a game.
const maxJobs = 64

// open is the set that is open in a state.
func (w *world) open(s *State) uint32 {
	if s.Open {
		return s.Cleared | 1<<w.rubble
	}
	return s.Cleared
}

// clearWay fills work for all nodes that can be come to from a state.
func (q *planner) clearWay(s *State, start uint32) {
	end := uint32(1) << q.blockers()
	for set := start; set < end; set = (set + 1) | start {
		row := q.work[int(set)*q.code : (int(set)+1)*q.code]
		for i := range row {
			row[i] = far
		}
	}
	q.work[int(start)*q.code], q.from[int(start)*q.code] = 0, -1
	for set := start; set < end; set = (set + 1) | start {
		for code := range q.code {
			if node := int(set)*q.code + code; q.work[node] < far {
				q.expand(s, set, code, node)
			}
		}
	}
}

// expand takes each deed that may be next after a node.
func (q *planner) expand(s *State, set uint32, code, node int) {
	stride := 1
	for i := range q.params.Engineers { // engineers come first
		at := code / stride % (len(q.spots) + 1)
		if !s.out(i) {
			cell := s.At[i]
			if at > 0 {
				cell = q.spots[at-1].cell
			}
			row := q.row(q.world, set, cell)
			for k := range q.rubble {
				if set>>k&1 != 0 {
					continue
				}
				for j := q.first[k]; j < q.first[k+1]; j++ {
					if q.spots[j].once&^set != 0 {
						continue
					}
					q.take(node, int(set|1<<k)*q.code+code+(j+1-at)*stride, row[q.spots[j].cell], i, k)
				}
			}
		}
		stride *= len(q.spots) + 1
	}
	if k := q.agents - 1; q.door && set>>q.rubble == 0 && !s.out(k) {
		row := q.row(q.world, set, s.At[k])
		for _, c := range q.next[s.Door][1:] {
			if c != s.Door {
				q.take(node, int(set|1<<q.rubble)*q.code+code, row[c], k, q.rubble+q.victims)
			}
		}
	}
}

// take goes from a node to another by so many steps and a deed of an agent.
func (q *planner) take(from, to int, steps int16, agent, job int) {
	if steps >= far {
		return
	}
	if n := q.work[from] + steps + 1; n < q.work[to] {
		q.work[to], q.from[to], q.deed[to] = n, int32(from), int16(agent*maxJobs+job)
	}
}

// cheapest is the node of a set with the least work.
func (q *planner) cheapest(set uint32) (node int, work int16) {
	work = far
	for n := int(set) * q.code; n < (int(set)+1)*q.code; n++ {
		if q.work[n] < work {
			node, work = n, q.work[n]
		}
	}
	return node, work
}
