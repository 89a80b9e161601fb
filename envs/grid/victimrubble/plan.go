package victimrubble

import "math/bits"

// A plan of least work has two parts, for medics open nothing: engineers and
// the key-bearer open a set of heaps and the door, then medics heal. Each part
// may be played one agent after the other, since agents don't block each other.

// goal is the job an agent is on its way to: the number of a heap, of a victim
// or of the door, as in paths; none where the plan has nothing left for it.
type goal int16

const none goal = -1

// goals are the jobs that come next for each agent.
type goals [maxAgents]goal

// planner finds plans. It is scratch memory: each game has its own.
type planner struct {
	*world
	*paths
	spots []spot // from which heaps can be cleared, heap by heap
	first []int  // (rubble + 1,) index of each heap's first spot
	code  int    // number of joint places of the engineers
	work  []int16
	from  []int32 // (sets × codes,) the node before, with the deed that led from it
	deed  []int16
	part  [][]int16 // (medics + 1, victims' sets) least work of the first medics to heal a set
	share [][]int16 // (medics + 1, victims' sets) what the last of them heals
}

// spot is a cell beside a heap. It can be cleared from there once those are
// that come before it, beside the same cell.
type spot struct {
	cell int16
	once uint32
}

// newPlanner makes the memory for a world that is exact or has sites.
func newPlanner(w *world, p *paths) *planner {
	q := &planner{world: w, paths: p, first: make([]int, w.rubble+1), code: 1}
	if !w.exact || w.sites {
		return q
	}
	nodes := w.nodes()
	q.code = nodes >> w.blockers()
	q.work, q.from, q.deed = make([]int16, nodes), make([]int32, nodes), make([]int16, nodes)
	for range w.params.Medics + 1 {
		q.part = append(q.part, make([]int16, 1<<w.victims))
		q.share = append(q.share, make([]int16, 1<<w.victims))
	}
	return q
}

// maxSpots is the most cells from which a heap can be cleared.
func (w *world) maxSpots() int {
	if w.params.Layout != "rooms" {
		return w.rubble // an alcove is reached from the room only
	}
	ways := w.blockable()
	return min(w.rubble, ways)*2 + max(0, w.rubble-ways)*4
}

// nodes is the number of sets times joint places: each engineer is where it was
// or beside what it cleared last.
func (w *world) nodes() int {
	n := 1 << w.blockers()
	for range w.params.Engineers {
		if n > maxNodes {
			break
		}
		n *= w.maxSpots() + 1
	}
	return n
}

// settleSpots lists the spots of the present places.
func (q *planner) settleSpots(s *State) {
	q.spots = q.spots[:0]
	shut := s.barriers(q.world, all(q.blockers()))
	for k, c := range s.Rubble[:q.rubble] {
		q.first[k] = len(q.spots)
		for _, to := range q.next[c][1:] {
			if to != c && !shut.has(to) && (len(q.gaps) == 0 || !q.alcove(to)) {
				q.spots = append(q.spots, spot{to, s.before(q.world, to, k)})
			}
		}
	}
	q.first[q.rubble] = len(q.spots)
}

// before are the heaps beside a cell that are cleared before the k-th.
func (s *State) before(w *world, cell int16, k int) uint32 {
	var set uint32
	for j, c := range s.Rubble[:k] {
		if w.beside(cell, c) {
			set |= 1 << j
		}
	}
	return set
}

// alcove says whether a cell is behind a gap.
func (w *world) alcove(cell int16) bool {
	for _, c := range w.behind {
		if c == cell {
			return true
		}
	}
	return false
}

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

// heal fills part and share: the least work of medics once a set is open.
func (q *planner) heal(s *State, set uint32) int16 {
	todo := all(q.victims) &^ s.Healed
	n := 0
	for sub := range q.part[0] {
		q.part[0][sub] = far
	}
	q.part[0][0] = 0
	for m := range q.params.Medics {
		i := q.params.Engineers + m
		if s.out(i) {
			continue
		}
		was, is, share := q.part[n], q.part[n+1], q.share[n+1]
		n++
		for sub := todo; ; sub = (sub - 1) & todo {
			is[sub], share[sub] = was[sub], 0
			for mine := sub; mine != 0; mine = (mine - 1) & sub {
				if was[sub&^mine] < far {
					if w := was[sub&^mine] + q.tour(q.world, s, set, mine, s.At[i]); w < is[sub] {
						is[sub], share[sub] = w, int16(mine)
					}
				}
			}
			if sub == 0 {
				break
			}
		}
	}
	return q.part[n][todo]
}

// healers gives medics their goals from what heal has filled.
func (q *planner) healers(s *State, set uint32, to *goals) {
	todo := all(q.victims) &^ s.Healed
	medics := (all(q.agents) &^ s.Out) >> q.params.Engineers & all(q.params.Medics)
	for n := bits.OnesCount32(medics); n > 0; n-- {
		m := bits.Len32(medics) - 1
		medics &^= 1 << m
		mine := uint32(uint16(q.share[n][todo]))
		if mine != 0 {
			i := q.params.Engineers + m
			v, _ := q.paths.first(q.world, s, set, mine, s.At[i])
			to[i] = goal(q.rubble + v)
		}
		todo &^= mine
	}
}

// planSites is plan where each pair has a site: alcoves are no way to anywhere,
// so each agent's way is its own.
func (q *planner) planSites(s *State, to *goals) int {
	total := 0
	for k := range q.params.Engineers {
		e, m := k, q.params.Engineers+k
		if !s.cleared(k) {
			if s.out(e) {
				return far
			}
			total += int(q.steps[k][s.At[e]]) + 1
			if to != nil {
				to[e] = goal(k)
			}
		}
		if !s.healed(k) {
			if s.out(m) {
				return far
			}
			total += int(q.steps[q.rubble+k][s.At[m]]) + 1
			if to != nil {
				to[m] = goal(q.rubble + k)
			}
		}
	}
	return total
}
