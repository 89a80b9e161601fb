package twoswitch

import "marlpit/envs/grid"

// solve fills both tables by breadth-first search backwards from success.
//
// Work: agents can move one at a time without a detour, because those that need
// the door open can move before those that let go of a switch. So an edge is one
// move of one agent, and costs 1. Time: an edge is a joint move.
func (s *solution) solve(w *world) {
	s.work = s.search(w, 1)
	s.time = s.search(w, w.agents)
}

// search returns the least number of edges to success, where an edge moves at
// most atOnce agents.
func (s *solution) search(w *world, atOnce int) []int16 {
	dist := make([]int16, s.joint)
	for i := range dist {
		dist[i] = never
	}
	var goal State
	for i := range w.agents {
		goal.At[i] = w.exit
	}
	var queue []int32
	push := func(x *State, d int16) {
		if k := w.key(x); dist[k] == never {
			dist[k] = d
			queue = append(queue, int32(k))
		}
	}
	if !w.held {
		goal.Pressed = [2]bool{true, true}
	}
	push(&goal, 0)
	into := backwards(w)
	for len(queue) > 0 {
		k := queue[0]
		queue = queue[1:]
		x := w.unkey(int(k))
		d := dist[k] + 1
		w.before(&x, into, atOnce, func(b *State) { push(b, d) })
	}
	return dist
}

// backwards lists, for each cell, the other cells from which one move leads to
// it when the door is open.
func backwards(w *world) [][]int16 {
	into := make([][]int16, w.cells.Len())
	for from, to := range w.next[1] {
		for _, c := range to[grid.Stay+1:] {
			if int(c) != from {
				into[c] = append(into[c], int16(from))
			}
		}
	}
	return into
}

// before calls visit with each state from which one edge leads to x.
func (w *world) before(x *State, into [][]int16, atOnce int, visit func(*State)) {
	b := *x
	var place func(agent, moved int)
	place = func(agent, moved int) {
		if agent == w.agents {
			if moved > 0 {
				w.flagsBefore(&b, x, visit)
			}
			return
		}
		place(agent+1, moved)
		if moved < atOnce {
			for _, from := range into[x.At[agent]] {
				b.At[agent] = from
				place(agent+1, moved+1)
			}
			b.At[agent] = x.At[agent]
		}
	}
	place(0, 0)
}

// flagsBefore completes the places of b with every setting of the switches
// from which the rules lead to x.
func (w *world) flagsBefore(b, x *State, visit func(*State)) {
	settings := 4
	if w.held {
		settings = 1
	}
	for f := range settings {
		b.Pressed = [2]bool{f&1 != 0, f&2 != 0}
		legal := b.settled(w) && x.follows(w, b)
		if legal {
			visit(b)
		}
	}
}

// settled says whether every switch under an agent counts as pressed.
func (s *State) settled(w *world) bool {
	again := *s
	again.settle(w)
	return again.Pressed == s.Pressed
}

// follows says whether x has the switches that the places of x make of b, and
// whether no agent entered a door that was closed.
func (x *State) follows(w *world, b *State) bool {
	after := *x
	after.Pressed = b.Pressed
	after.settle(w)
	if after.Pressed != x.Pressed {
		return false
	}
	if !w.open(b) {
		for i := range w.agents {
			if x.At[i] == w.door && b.At[i] != w.door {
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
