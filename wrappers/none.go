package wrappers

import "marlpit/envs"

// nothing pays no shaping: what a claim for any σ has to beat.
type nothing struct{}

func newNone(r Reward) envs.Wrapper {
	return newMomentary(func(envs.Env) payer { return nothing{} }, r, 0)
}

func (nothing) read(_, dst []float32) { clear(dst) }
