package twoswitch

// works says whether switch k does its work: pressed for good, or held here or
// at its twin.
func (w *world) works(s *State, k int) bool {
	if !w.held {
		return s.Pressed[k]
	}
	for _, c := range s.At[:w.agents] {
		if c == w.switches[k] || c == w.twins[k] {
			return true
		}
	}
	return false
}

// open says whether the door is open.
func (w *world) open(s *State) bool { return w.works(s, 0) && w.works(s, 1) }

// play moves all agents at once and says where that leaves the game. Choices
// out of range and blocked moves do nothing.
func (s *State) play(w *world, choice []int32) {
	next := w.next[0]
	if w.open(s) {
		next = w.next[1]
	}
	for i := range w.agents {
		if c := choice[i]; uint32(c) < uint32(len(next[0])) {
			s.At[i] = next[s.At[i]][c]
		}
	}
	s.settle(w)
	s.T++
	s.ended = s.success || w.params.MaxCycles > 0 && int(s.T) >= w.params.MaxCycles
}

// settle presses the switches under the agents and sees whether all are out.
func (s *State) settle(w *world) {
	s.success = true
	for _, c := range s.At[:w.agents] {
		if !w.held {
			s.Pressed[0] = s.Pressed[0] || c == w.switches[0]
			s.Pressed[1] = s.Pressed[1] || c == w.switches[1]
		}
		s.success = s.success && c == w.exit
	}
}

// reward is what each agent is paid for the step that led to s.
func (s *State) reward(w *world) float32 {
	switch {
	case !s.success:
		return 0
	case w.params.MaxCycles == 0:
		return 1
	}
	return 1 - 0.5*float32(s.T)/float32(w.params.MaxCycles)
}

// goals gives each agent the place it should be on its way to, so that the
// team's steps are few: what guided words name and the expert pays for.
func (w *world) goals(s *State) [maxAgents]target {
	out := [maxAgents]target{toExit, toExit, toExit, toExit}
	if !w.held {
		switch {
		case !s.Pressed[0] && !s.Pressed[1]:
			w.assign(s, &out, [2]target{toA, toB}, 2, everyone)
		case !s.Pressed[0]:
			w.assign(s, &out, [2]target{toA}, 1, everyone)
		case !s.Pressed[1]:
			w.assign(s, &out, [2]target{toB}, 1, everyone)
		}
		return out
	}
	through := 0
	for _, c := range s.At[:w.agents] {
		if w.right[c] {
			through++
		}
	}
	switch {
	case through == w.agents:
	case through == 0:
		w.assign(s, &out, [2]target{toA, toB}, 2, onLeft)
		w.rest(s, &out, toTwinA)
	case through == 1:
		w.assign(s, &out, [2]target{toTwinA}, 1, onRight)
		w.assign(s, &out, [2]target{toB}, 1, onLeft)
		w.rest(s, &out, toTwinB)
	default:
		w.assign(s, &out, [2]target{toTwinA, toTwinB}, 2, onRight)
	}
	return out
}

func everyone(*world, int16) bool    { return true }
func onLeft(w *world, c int16) bool  { return !w.right[c] }
func onRight(w *world, c int16) bool { return w.right[c] }

// rest sends the agents of the left room that have nothing to hold to t.
func (w *world) rest(s *State, out *[maxAgents]target, t target) {
	for i, c := range s.At[:w.agents] {
		if !w.right[c] && out[i] == toExit {
			out[i] = t
		}
	}
}

// assign gives the first n of the targets to different agents among those that
// may, with the fewest steps in all; among equals, the first in order.
func (w *world) assign(s *State, out *[maxAgents]target, to [2]target, n int, may func(*world, int16) bool) {
	best, first, second := int16(-1), 0, 0
	for i, a := range s.At[:w.agents] {
		if !may(w, a) {
			continue
		}
		if n == 1 {
			if d := w.dist[to[0]][a]; best < 0 || d < best {
				best, first = d, i
			}
			continue
		}
		for j, b := range s.At[:w.agents] {
			if j == i || !may(w, b) {
				continue
			}
			if d := w.dist[to[0]][a] + w.dist[to[1]][b]; best < 0 || d < best {
				best, first, second = d, i, j
			}
		}
	}
	if best < 0 {
		return
	}
	out[first] = to[0]
	if n == 2 {
		out[second] = to[1]
	}
}
