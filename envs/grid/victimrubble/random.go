package victimrubble

import (
	"slices"

	"marlpit/envs"
)

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

// drawAlcoves draws the alcoves that have rubble. A victim is behind each heap,
// as far as there are; if there are more of them, the others lie in the room.
func (s *State) drawAlcoves(w *world, r *envs.Rand) {
	var order [maxCells]int16
	for k := range w.gaps {
		order[k] = int16(k)
	}
	r.Shuffle(len(w.gaps), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for k, a := range order[:w.rubble] {
		s.Rubble[k] = w.gaps[a]
		if k < w.victims {
			s.Victim[k] = w.behind[a]
		}
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
