package twoswitch

import "marlpit/envs/grid"

// solve fills both tables by breadth-first search backwards from success.
//
// Work: agents can move one at a time without a detour, because those that need
// the door open can move before those that let go of a switch. So an edge is one
// move of one agent, and costs 1. Time: an edge is a joint move.
func (s *solution) solve(w *world) {
	s.work = newSearch(w, s, 1).run()
	s.time = newSearch(w, s, w.agents).run()
}

// search is one breadth-first search.
type search struct {
	*world
	into   [][]int16 // (cells,) the other cells from which one move leads there, the door open
	atOnce int       // most agents that an edge moves
	dist   []int16   // (joint,) edges to success, never where not reached yet
	queue  []int32   // keys of states reached, nearest first
	after  State     // the state whose predecessors are being visited
	next   int16     // their distance
	before State     // scratch: such a predecessor
}

func newSearch(w *world, s *solution, atOnce int) *search {
	q := &search{world: w, atOnce: atOnce, dist: make([]int16, s.joint), into: make([][]int16, w.cells.Len())}
	for i := range q.dist {
		q.dist[i] = never
	}
	for from, to := range w.next[1] {
		for _, c := range to[grid.Up:] {
			if int(c) != from {
				q.into[c] = append(q.into[c], int16(from))
			}
		}
	}
	return q
}

func (q *search) run() []int16 {
	var goal State
	for i := range q.agents {
		goal.At[i] = q.exit
	}
	goal.Pressed = [2]bool{!q.held, !q.held}
	q.reach(q.key(&goal), 0)
	for len(q.queue) > 0 {
		k := q.queue[0]
		q.queue = q.queue[1:]
		q.after = q.unkey(int(k))
		q.next = q.dist[k] + 1
		q.before = q.after
		q.place(0, 0, 0, 1)
	}
	return q.dist
}

func (q *search) reach(k int, d int16) {
	q.dist[k] = d
	q.queue = append(q.queue, int32(k))
}

// place puts agents from the given one on into every place they may have come
// from. key is that of the places so far, stride the agent's factor in it.
func (q *search) place(agent, moved, key, stride int) {
	if agent == q.agents {
		if moved > 0 {
			q.flags(key)
		}
		return
	}
	at := q.after.At[agent]
	q.before.At[agent] = at
	q.place(agent+1, moved, key+stride*int(at), stride*q.cells.Len())
	if moved < q.atOnce {
		for _, from := range q.into[at] {
			q.before.At[agent] = from
			q.place(agent+1, moved+1, key+stride*int(from), stride*q.cells.Len())
		}
	}
}

// flags completes the places with every setting of the switches from which the
// rules lead to q.after.
func (q *search) flags(key int) {
	settings := 4
	if q.held {
		settings = 1
	}
	for f := range settings {
		k := key + f*q.solution.places
		if q.dist[k] != never {
			continue
		}
		q.before.Pressed = [2]bool{f&1 != 0, f&2 != 0}
		if q.before.settled(q.world) && q.after.follows(q.world, &q.before) {
			q.reach(k, q.next)
		}
	}
}

// settled says whether every switch under an agent counts as pressed.
func (s *State) settled(w *world) bool {
	again := *s
	again.settle(w)
	return again.Pressed == s.Pressed
}

// follows says whether s has the switches that the places of s make of b, and
// whether no agent entered a door that was closed.
func (s *State) follows(w *world, b *State) bool {
	after := *s
	after.Pressed = b.Pressed
	after.settle(w)
	if after.Pressed != s.Pressed {
		return false
	}
	if !w.open(b) {
		for i := range w.agents {
			if s.At[i] == w.door && b.At[i] != w.door {
				return false
			}
		}
	}
	return true
}

// unkey is the inverse of key.
func (w *world) unkey(k int) State {
	var s State
	if f := k / w.solution.places; f > 0 {
		s.Pressed = [2]bool{f&1 != 0, f&2 != 0}
		k %= w.solution.places
	}
	for i := range w.agents {
		s.At[i] = int16(k % w.cells.Len())
		k /= w.cells.Len()
	}
	return s
}
