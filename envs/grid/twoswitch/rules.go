package twoswitch

import "marlpit/envs"

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
	s.T = min(s.T+1, maxSteps)
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
	if !s.success {
		return 0
	}
	return envs.SuccessReward(s.T, w.params.MaxCycles)
}
