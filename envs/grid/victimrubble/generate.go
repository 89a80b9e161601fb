package victimrubble

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// begin puts the state where an episode with this seed begins.
func (s *State) begin(w *world, seed uint64) {
	*s = w.start
	if w.random {
		s.draw(w, seed)
	}
}

// fix puts everything where it is when places are fixed.
func (s *State) fix(w *world) {
	*s = State{Door: -1}
	for i := range w.agents {
		s.At[i] = w.middle
	}
	if w.params.Layout == "rooms" {
		if w.door {
			s.Door = w.doorways[len(w.doorways)-1]
		}
		rooms := w.outside()
		for k := range w.victims {
			s.Victim[k] = rooms[k]
		}
		open := w.doorways[:w.blockable()]
		for k := range w.rubble {
			if k < len(open) {
				s.Rubble[k] = open[k]
			} else {
				s.Rubble[k] = s.Victim[k-len(open)]
			}
		}
	} else {
		free := w.floor[0]
		open := max(0, w.victims-w.rubble) // victims that lie in the room
		for k := range w.rubble {
			s.Rubble[k] = w.gaps[k%len(w.gaps)]
		}
		for k := range w.victims {
			if k < w.rubble {
				s.Victim[k] = w.behind[k]
				continue
			}
			c := free[(k-w.rubble)*len(free)/open]
			if c == w.middle {
				c = free[(k-w.rubble)*len(free)/open+1]
			}
			s.Victim[k] = c
		}
	}
	s.close(w)
	order := slices.Concat(w.floor...)
	from := grid.Distances(w.board, w.cells.Points[w.middle], func(p grid.Point) bool { return w.cells.At(p) >= 0 })
	far := func(c int16) int { p := w.cells.Points[c]; return from[p.Y*w.board.W+p.X] }
	slices.SortStableFunc(order, func(a, b int16) int { return far(a) - far(b) })
	order = slices.DeleteFunc(order, func(c int16) bool { return far(c) < 2 }) // not beside the start
	s.trap(w, order)
}

// outside lists the cells of all rooms, room by room in turn from the one
// across, and in each from the map's corner inwards.
func (w *world) outside() []int16 {
	var out []int16
	sorted := make([][]int16, len(w.floor))
	for r, room := range w.floor {
		corner := grid.Point{X: r % 2 * w.board.W, Y: r / 2 * w.board.H}
		away := func(c int16) int { d := w.cells.Points[c].Sub(corner); return max(d.X, -d.X) + max(d.Y, -d.Y) }
		sorted[r] = slices.Clone(room)
		slices.SortStableFunc(sorted[r], func(a, b int16) int { return away(a) - away(b) })
	}
	for k := range sorted[0] {
		for r := range slices.Backward(sorted) {
			if c := sorted[r][k]; c != w.middle {
				out = append(out, c)
			}
		}
	}
	return out
}

// close shuts the cells of rubble, the door and alcoves that are not there.
func (s *State) close(w *world) {
	s.Shut = cellSet{}
	for k, gap := range w.gaps {
		s.Shut.add(gap)
		s.Shut.add(w.behind[k])
	}
	for _, c := range s.Rubble[:w.rubble] {
		for k, gap := range w.gaps {
			if gap == c {
				s.Shut.remove(w.behind[k])
			}
		}
	}
	for k, c := range s.Rubble[:w.rubble] {
		if s.cleared(k) {
			s.Shut.remove(c)
		} else {
			s.Shut.add(c)
		}
	}
	if w.door && !s.Open {
		s.Shut.add(s.Door)
	}
}

// trap sets the traps on the first cells of the list where they leave the game
// solvable and are on nothing else: with four rooms one in each. Where there is
// no such cell, the trap is left out.
func (s *State) trap(w *world, order []int16) {
	var taken cellSet
	for _, c := range s.At[:w.agents] {
		taken.add(c)
	}
	for _, c := range s.Victim[:w.victims] {
		taken.add(c)
	}
	for k := range s.Trap {
		s.Trap[k] = -1
	}
	for k := range w.traps {
		for _, c := range order {
			if taken.has(c) || s.Shut.has(c) || !slices.Contains(w.floor[k], c) {
				continue
			}
			s.Trap[k] = c
			if s.solvable(w) {
				break
			}
			s.Trap[k] = -1
		}
	}
}

// draw draws the places of an episode.
func (s *State) draw(w *world, seed uint64) {
	var r envs.Rand
	r.Seed(seed)
	if w.params.Layout == "rooms" {
		s.drawRooms(w, &r)
	} else {
		s.drawAlcoves(w, &r)
	}
	s.close(w)
	if !w.sites {
		for i := range w.agents {
			s.At[i] = w.floor[0][r.Intn(len(w.floor[0]))]
			for s.Shut.has(s.At[i]) { // the middle is free
				s.At[i] = w.floor[0][r.Intn(len(w.floor[0]))]
			}
		}
	}
	if w.traps == 0 {
		return
	}
	var order [maxCells]int16
	n := 0
	for _, room := range w.floor {
		n += copy(order[n:], room)
	}
	r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	s.trap(w, order[:n])
}

// drawAlcoves draws the alcoves that have rubble. A victim is behind each heap;
// if there are more of them, the others lie in the room.
func (s *State) drawAlcoves(w *world, r *envs.Rand) {
	var order [maxCells]int16
	for k := range w.gaps {
		order[k] = int16(k)
	}
	r.Shuffle(len(w.gaps), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for k, a := range order[:w.rubble] {
		s.Rubble[k], s.Victim[k] = w.gaps[a], w.behind[a]
	}
	for k := w.rubble; k < w.victims; k++ {
		s.Victim[k] = s.unused(w, r, k, w.floor[0])
	}
}

// drawRooms draws which doorway is locked, where victims lie, and which of them
// are buried once there is rubble in all doorways. The first victim is behind
// the door, or else outside the first room.
func (s *State) drawRooms(w *world, r *envs.Rand) {
	order := [3]int{0, 1, 2}
	r.Shuffle(3, func(i, j int) { order[i], order[j] = order[j], order[i] })
	rooms, open := behind[3], order[:]
	if w.door {
		s.Door = w.doorways[order[0]]
		rooms, open = behind[order[0]], order[1:]
	}
	s.Victim[0] = s.unused(w, r, 0, w.floor[rooms[r.Intn(len(rooms))]])
	for k := 1; k < w.victims; k++ {
		s.Victim[k] = s.unused(w, r, k, w.floor[r.Intn(len(w.floor))])
	}
	var bury [maxThings]int
	for k := range w.victims {
		bury[k] = k
	}
	r.Shuffle(w.victims, func(i, j int) { bury[i], bury[j] = bury[j], bury[i] })
	for k := range w.rubble {
		if k < len(open) {
			s.Rubble[k] = w.doorways[open[k]]
		} else {
			s.Rubble[k] = s.Victim[bury[k-len(open)]]
		}
	}
}

// behind are the rooms that each doorway leads to from the first; the last row
// is all but the first.
var behind = [...][]int{{1, 3}, {2}, {3}, {1, 2, 3}}

// unused draws a cell for victim k that is neither the middle nor one of an
// earlier victim. Where a room is full, it is a cell of the others.
func (s *State) unused(w *world, r *envs.Rand, k int, room []int16) int16 {
	for tries := 0; ; tries++ {
		c := room[r.Intn(len(room))]
		if c != w.middle && !slices.Contains(s.Victim[:k], c) {
			return c
		}
		if tries > 4*len(room) {
			room = w.floor[r.Intn(len(w.floor))]
		}
	}
}
