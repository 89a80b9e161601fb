package victimrubble

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
