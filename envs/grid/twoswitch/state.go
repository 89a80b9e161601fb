package twoswitch

import "marlpit/envs"

// maxAgents is the most agents a game has.
const maxAgents = 4

// maxSteps is where the count of steps stops in a game without limit.
const maxSteps = 1<<31 - 2

// State is everything that changes in a game. It is plain data: copying it
// copies the game.
type State struct {
	At      [maxAgents]int16 // (agents,) cell of each agent
	Pressed [2]bool          // switches pressed for good; always false where they are held
	T       int32            // steps played
	success bool             // all agents are on the exit
	ended   bool             // by success or by the limit
}

// start puts the state where an episode with this seed begins.
func (s *State) start(w *world, seed uint64) {
	*s = State{}
	if w.params.Start == "fixed" {
		copy(s.At[:], w.starts)
		return
	}
	var r envs.Rand
	r.Seed(seed)
	for i := range w.agents {
		s.At[i] = w.anywhere[r.Intn(len(w.anywhere))]
	}
}
