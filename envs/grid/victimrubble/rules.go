package victimrubble

import (
	"marlpit/envs"
	"marlpit/envs/grid"
)

// act is the choice of an agent's own deed, after the moves: to clear, heal or open.
const act = grid.Moves

// play plays a joint action: all move at once, by what blocked the way before
// the step, and those who don't move do their deeds. Choices out of range,
// blocked moves and deeds out of reach do nothing, and so do agents that are out.
func (s *State) play(w *world, choice []int32) {
	for i := range w.agents {
		if c := choice[i]; uint32(c) < grid.Moves && !s.out(i) {
			if to := w.next[s.At[i]][c]; !s.Shut.has(to) {
				s.At[i] = to
			}
		}
	}
	for i := range w.agents {
		if choice[i] == act && !s.out(i) {
			s.do(w, i)
		}
	}
	s.T = min(s.T+1, maxSteps)
	s.settle(w)
}

// do does an agent's deed, where it works.
func (s *State) do(w *world, agent int) {
	switch k := s.reach(w, agent); {
	case k < 0:
	case w.roles[agent] == engineer:
		s.Cleared |= 1 << k
		s.Shut.remove(s.Rubble[k])
	case w.roles[agent] == medic:
		s.Healed |= 1 << k
	default:
		s.Open = true
		s.Shut.remove(s.Door)
	}
}

// reach is the number of what an agent's deed would work on, -1 for nothing:
// the first heap beside an engineer, the victim a medic stands on, the locked
// door beside the key-bearer.
func (s *State) reach(w *world, agent int) int {
	at := s.At[agent]
	switch w.roles[agent] {
	case engineer:
		for k, end := w.jobs(agent, w.rubble); k < end; k++ {
			if !s.cleared(k) && w.beside(at, s.Rubble[k]) {
				return k
			}
		}
	case medic:
		for k, end := w.jobs(agent, w.victims); k < end; k++ {
			if at == s.Victim[k] && !s.healed(k) {
				return k
			}
		}
	case keybearer:
		if !s.Open && w.beside(at, s.Door) {
			return 0
		}
	}
	return -1
}

// jobs is the range of heaps or victims, of n, that are an agent's to work on:
// all, or with sites those of its pair.
func (w *world) jobs(agent, n int) (from, end int) {
	if !w.sites {
		return 0, n
	}
	pair := w.pair(agent)
	return pair, pair + 1
}

// pair is the number of an agent's pair, where there are sites.
func (w *world) pair(agent int) int { return agent % w.params.Engineers }

// beside says whether two cells touch.
func (w *world) beside(a, b int16) bool {
	n := &w.next[a]
	return a != b && (n[grid.Up] == b || n[grid.Down] == b || n[grid.Left] == b || n[grid.Right] == b)
}

// settle sees who is out, and whether the game is over.
func (s *State) settle(w *world) {
	s.success = s.Healed == all(w.victims)
	switch {
	case w.leave:
		s.Out = s.done(w)
	case w.traps > 0:
		was := s.Out
		for i, c := range s.At[:w.agents] {
			for _, t := range s.Trap[:w.traps] {
				if c == t {
					s.Out |= 1 << i
				}
			}
		}
		if s.Out != was {
			s.failed = !s.success && !s.solvable(w)
		}
	}
	s.ended = s.success || s.failed || s.late(w)
}

func (s *State) late(w *world) bool {
	return w.params.MaxCycles > 0 && int(s.T) >= w.params.MaxCycles
}

// done is the set of agents whose own job is done: engineers with no rubble
// left to clear, medics with nobody left to heal, the key-bearer when the door
// is open. A scout's job is never done.
func (s *State) done(w *world) uint32 {
	var out uint32
	for i, r := range w.roles[:w.agents] {
		have, n := s.Cleared, w.rubble
		switch r {
		case medic:
			have, n = s.Healed, w.victims
		case keybearer:
			have, n = uint32(bit(s.Open)), 1
		case scout:
			continue
		}
		from, end := 0, n
		if r != keybearer {
			from, end = w.jobs(i, n)
		}
		if mine := all(end) &^ all(from); have&mine == mine {
			out |= 1 << i
		}
	}
	return out
}

// reward is what each agent that was not out is paid for the step that led to s.
func (s *State) reward(w *world) float32 {
	if !s.success {
		return 0
	}
	return envs.SuccessReward(s.T, w.params.MaxCycles)
}
