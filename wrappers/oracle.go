package wrappers

import (
	"fmt"
	"math"

	"marlpit/envs"
)

// The sample that the oracle's σ is scaled by: random legal play, seeds from 0.
const (
	oracleTransitions = 2000  // that change the least work
	oracleSteps       = 20000 // at most
	oracleEpisode     = 1000  // steps of one
)

// remaining is the sigma of a solver: minus the least remaining work.
type remaining struct {
	solver envs.Solver
	cap    float64 // of the work, so that a state without solution costs what a bad one does
}

func (r remaining) read(_, dst []float32) {
	work, _ := r.solver.Remaining()
	v := -float32(min(work, r.cap))
	for i := range dst {
		dst[i] = v
	}
}

// oracleSource is σ = −(least remaining work), scaled by random play. template
// is played.
func oracleSource(template envs.Env) (src source, note map[string]any, err error) {
	m, err := measureWork(template)
	if err != nil {
		return src, nil, fmt.Errorf("%w: oracle: %w", ErrReward, err)
	}
	src.of = func(e envs.Env) sigma { return remaining{mustSolve(e), m.cap} }
	for range template.Spec().Agents {
		src.sd = append(src.sd, m.sd)
	}
	return src, map[string]any{"sd": m.sd, "sd_transitions": m.n, "sd_seed": 0, "work_cap": m.cap}, nil
}

// workScale is what random play says of the least remaining work.
type workScale struct {
	sd  float64 // of its change
	cap float64 // what a state without solution counts as: twice the greatest met
	n   int     // transitions that changed it
}

// measureWork plays template at random and measures the least work by its solver.
func measureWork(template envs.Env) (workScale, error) {
	solver, err := solverOf(template)
	if err != nil {
		return workScale{}, err
	}
	sd, most, n := sampleWork(template, solver)
	if sd == 0 {
		return workScale{}, fmt.Errorf("the least work of %s never changed in %d steps of random play", template.Spec().ID, oracleSteps)
	}
	return workScale{sd: sd, cap: 2 * most, n: n}, nil
}

// solverOf is the world's solver, prepared; the error says why there is none.
func solverOf(e envs.Env) (envs.Solver, error) {
	s, ok := envs.As[envs.Solver](e)
	if !ok {
		return nil, fmt.Errorf("%s has no solver", e.Spec().ID)
	}
	if err := s.Prepare(); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Spec().ID, err)
	}
	return s, nil
}

// mustSolve is the solver of a game whose world was solved once already.
func mustSolve(e envs.Env) envs.Solver {
	s, err := solverOf(e)
	if err != nil {
		panic("wrappers: it was solved once, but: " + err.Error())
	}
	return s
}

// sampleWork plays at random. It returns the standard deviation of the change
// of the least work over n transitions that change it, and the greatest work;
// states without solution are left out.
func sampleWork(e envs.Env, solver envs.Solver) (sd, most float64, n int) {
	frame, rng := envs.NewFrame(e.Spec()), &envs.Rand{}
	rng.Seed(0)
	act := envs.NewActions(e.Spec())
	var sum, squares, before float64
	fresh := true
	for step, episode, t := 0, 0, 0; step < oracleSteps && n < oracleTransitions; step++ {
		if fresh {
			e.Reset(envs.EpisodeSeed(0, 0, episode), frame)
			before, _ = solver.Remaining()
			episode, t = episode+1, 0
		}
		envs.DrawLegal(e.Spec(), frame.Mask, rng, act)
		e.Step(act, frame)
		work, _ := solver.Remaining()
		if d := before - work; d != 0 && max(before, work) < envs.SolverCap {
			sum, squares, n = sum+d, squares+d*d, n+1
			most = max(most, before, work)
		}
		before, t = work, t+1
		fresh = frame.Ended() || t == oracleEpisode
	}
	if n == 0 {
		return 0, 0, 0
	}
	m := sum / float64(n)
	return math.Sqrt(max(squares/float64(n)-m*m, 0)), most, n
}
