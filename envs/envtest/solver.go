package envtest

import (
	"errors"
	"math"
	"testing"

	"marlpit/envs"
)

// checkSolver tests that what the solver says agrees with what the rules do.
func checkSolver(tb testing.TB, s *subject) {
	if free := s.limited(0); free != nil { // time limits are not the solver's
		s = free
	}
	for _, seed := range seeds {
		p := s.play(tb, seed)
		solver, ok := envs.As[envs.Solver](p.env)
		if !ok {
			tb.Skip("no Solver")
		}
		if err := solver.Prepare(); err != nil {
			if !errors.Is(err, envs.ErrTooLarge) {
				tb.Fatalf("solver: Prepare: %v, which doesn't wrap ErrTooLarge", err)
			}
			tb.Skip(err)
		}
		checkBest(tb, p, solver, seed)
		if !s.spec.PolicySolver {
			checkConsistent(tb, p, solver, seed)
		}
	}
}

// checkBest follows the best play: it has to succeed with the work promised.
func checkBest(tb testing.TB, p *player, solver envs.Solver, seed uint64) {
	p.reset(seed)
	work, _ := remaining(tb, solver)
	if work >= envs.SolverCap {
		tb.Fatalf("solver: seed %d: success can't be reached from the start", seed)
	}
	start, spent := work, 0.0
	for !p.succeeded() {
		if p.frame.Ended() || p.t > 1000 {
			tb.Fatalf("solver: seed %d: best play ended, or went on to step %d, without success", seed, p.t)
		}
		best := solver.AppendBest([]int32{-7})
		if want := 1 + len(p.spec.Agents)*p.spec.ActionDims(); len(best) != want || best[0] != -7 {
			tb.Fatalf("solver: AppendBest appended %d elements, want %d (agents × dims)", len(best)-1, want-1)
		}
		copy(p.act.Choice, best[1:])
		moves := p.moves(p.act)
		p.step(p.act)
		spent += moves
		next, _ := remaining(tb, solver)
		if math.Abs(work-moves-next) > 1e-6 {
			tb.Fatalf("solver: seed %d, step %d: %v moves of best play lead from work %v to %v", seed, p.t, moves, work, next)
		}
		work = next
	}
	if work != 0 || spent != start {
		tb.Fatalf("solver: seed %d: success with work %v left, after %v moves where %v were promised", seed, work, spent, start)
	}
}

// checkConsistent tests that no random step gains more than its moves, nor
// more than one step of time.
func checkConsistent(tb testing.TB, p *player, solver envs.Solver, seed uint64) {
	p.reset(seed + 100)
	work, time := remaining(tb, solver)
	for n := 0; n < horizon && !p.frame.Ended(); n++ {
		a := p.random()
		moves := p.moves(a)
		p.step(a)
		nextWork, nextTime := remaining(tb, solver)
		if nextWork != work && work > moves+nextWork+1e-6 {
			tb.Fatalf("solver: seed %d, step %d: %v moves lead from work %v to %v, so it was less", seed, p.t, moves, work, nextWork)
		}
		if time > 1+nextTime+1e-6 {
			tb.Fatalf("solver: seed %d, step %d: one step leads from time %v to %v, so it was less", seed, p.t, time, nextTime)
		}
		work, time = nextWork, nextTime
	}
}

func remaining(tb testing.TB, solver envs.Solver) (work, time float64) {
	tb.Helper()
	work, time = solver.Remaining()
	if !(work >= 0 && work <= envs.SolverCap && time >= 0 && time <= envs.SolverCap) {
		tb.Fatalf("solver: work %v and time %v, want 0 to %v", work, time, envs.SolverCap)
	}
	return work, time
}

// moves counts the living agents whose choice isn't the no-op.
func (p *player) moves(a envs.Actions) float64 {
	n, dims := 0.0, p.spec.ActionDims()
	for i, space := range p.spec.Action {
		if p.frame.Terminated[i] || p.frame.Truncated[i] {
			continue
		}
		for d := range space.Size() {
			if a.Choice[i*dims+d] != p.spec.Noop[i*dims+d] {
				n++
				break
			}
		}
	}
	return n
}

// succeeded tells whether the success column is 1 for anybody.
func (p *player) succeeded() bool {
	column, width := p.spec.InfoColumn("success"), len(p.spec.Info)
	for i := range p.spec.Agents {
		if p.frame.Info[i*width+column] == 1 {
			return true
		}
	}
	return false
}
