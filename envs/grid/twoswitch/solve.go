package twoswitch

import (
	"fmt"
	"sync"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// maxJoint is the most joint states that are tabulated.
const maxJoint = 2_000_000

// never marks a joint state from which success can't be reached.
const never = -1

// solution holds, for every joint state, the least work and time to success.
// It is made at most once for each layout, and shared.
type solution struct {
	once   sync.Once
	joint  int     // number of joint states
	work   []int16 // (joint,) moves that aren't stay, summed over agents
	time   []int16 // (joint,) steps
	places int     // joint places: cells to the power of agents
}

// solutions are the tables by layout. Start, view and limit don't matter to them.
var solutions envs.Shared[Params, solution]

func solutionOf(w *world) *solution {
	p := w.params
	p.Start, p.View, p.Obs, p.Radius, p.MaxCycles = "", "", "", 0, 0
	return solutions.Get(p, func() *solution {
		s := &solution{places: 1}
		for range w.agents {
			s.places *= w.cells.Len()
		}
		s.joint = s.places
		if !w.held {
			s.joint *= 4
		}
		return s
	})
}

// Prepare implements envs.Solver.
func (g *Game) Prepare() error {
	s := g.solution
	if s.joint > maxJoint {
		return fmt.Errorf("%w: two-switch-v1 with these parameters has %d joint states, the limit is %d", envs.ErrTooLarge, s.joint, maxJoint)
	}
	s.once.Do(func() { s.solve(g.world) })
	return nil
}

// Remaining implements envs.Solver. It panics before a successful Prepare.
func (g *Game) Remaining() (work, time float64) {
	k := g.key(&g.now)
	return capped(g.solution.work[k]), capped(g.solution.time[k])
}

func capped(n int16) float64 {
	if n == never {
		return envs.SolverCap
	}
	return float64(n)
}

// AppendBest implements envs.Solver: among the joint moves that lie on a path of
// least work, one after which least time remains; no more agents move than need to.
func (g *Game) AppendBest(dst []int32) []int32 {
	sol, now := g.solution, g.now
	var best, try [maxAgents]int32
	bestWork, bestTime := sol.work[g.key(&now)], int16(1<<14)
	if bestWork > 0 {
		total := bestWork
		for code := range pow(grid.Moves, g.agents) {
			moves := int16(0)
			for i := range g.agents {
				try[i] = int32(code % grid.Moves)
				code /= grid.Moves
				if try[i] != grid.Stay {
					moves++
				}
			}
			after := now
			after.play(g.world, try[:])
			k := g.key(&after)
			work, time := sol.work[k], sol.time[k]
			if moves > 0 && work >= 0 && work+moves == total && time < bestTime {
				best, bestTime = try, time
			}
		}
	}
	return append(dst, best[:g.agents]...)
}

// key numbers the joint states.
func (w *world) key(s *State) int {
	k := 0
	for i := w.agents - 1; i >= 0; i-- {
		k = k*w.cells.Len() + int(s.At[i])
	}
	if w.held {
		return k
	}
	if s.Pressed[0] {
		k += w.solution.places
	}
	if s.Pressed[1] {
		k += 2 * w.solution.places
	}
	return k
}

func pow(base, n int) int {
	out := 1
	for range n {
		out *= base
	}
	return out
}
