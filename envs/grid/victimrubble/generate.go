package victimrubble

import (
	"slices"

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
