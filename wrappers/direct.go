package wrappers

import "marlpit/envs"

// score pays σ itself, scale·σ_i(s')/sd_i: a control that should do worse.
type score struct {
	sigma sigma
	times []float32
}

func newDirect(src source, r Reward) envs.Wrapper {
	times := src.multipliers(r.Scale)
	return newMomentary(func(e envs.Env) payer { return &score{src.of(e), times} }, r, src.version)
}

func (s *score) read(state, dst []float32) {
	s.sigma.read(state, dst)
	for i := range dst {
		dst[i] *= s.times[i]
	}
}
