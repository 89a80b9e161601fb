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

// oracleSource prepares the world's solver and measures sd(Δσ) in random play.
// The work of states without solution is capped at twice the greatest met.
// template is played.
func oracleSource(template envs.Env) (src source, note map[string]any, err error) {
	id := template.Spec().ID
	solver, ok := envs.As[envs.Solver](template)
	if !ok {
		return src, nil, fmt.Errorf("%w: oracle: %s has no solver", ErrReward, id)
	}
	if err := solver.Prepare(); err != nil {
		return src, nil, fmt.Errorf("%w: oracle: %s: %w", ErrReward, id, err)
	}
	sd, most, n := sampleWork(template, solver)
	if sd == 0 {
		return src, nil, fmt.Errorf("%w: oracle: the least work of %s never changed in %d steps of random play", ErrReward, id, oracleSteps)
	}
	limit := 2 * most
	src.of = func(e envs.Env) sigma {
		s, _ := envs.As[envs.Solver](e)
		if err := s.Prepare(); err != nil {
			panic("wrappers: the solver of " + id + " was prepared once, but: " + err.Error())
		}
		return remaining{s, limit}
	}
	for range template.Spec().Agents {
		src.sd = append(src.sd, sd)
	}
	return src, map[string]any{"sd": sd, "sd_transitions": n, "sd_seed": 0, "work_cap": limit}, nil
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
