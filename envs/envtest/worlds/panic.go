package worlds

import (
	"fmt"

	"marlpit/envs"
)

type panicParams struct {
	At     int    `param:"at" min:"1" max:"1000000" help:"number of the call that panics, 1 for the first"`
	In     string `param:"in" enum:"step,reset" help:"which call panics"`
	Length int    `param:"length" min:"1" max:"1000000" help:"steps until truncation"`
}

// panicking is test-panic-v0: a world with a bug.
type panicking struct {
	clock
	at      int
	inReset bool
	resets  int
}

func panicEntry() envs.Entry {
	return envs.Define("test-panic-v0", "Panics.",
		"Two agents count steps. In step `at` of an episode (or in the `at`-th reset) the world panics.",
		panicParams{At: 3, In: "step", Length: 10},
		func(p panicParams) (envs.Env, error) {
			return &panicking{clock: newClock("test-panic-v0", p, 2, p.Length, true), at: p.At, inReset: p.In == "reset"}, nil
		})
}

// Reset implements envs.Env.
func (p *panicking) Reset(seed uint64, out *envs.Frame) {
	p.resets++
	if p.inReset && p.resets == p.at {
		panic(fmt.Sprintf("worlds: test-panic-v0: reset %d", p.at))
	}
	p.clock.Reset(seed, out)
}

// Step implements envs.Env.
func (p *panicking) Step(a envs.Actions, out *envs.Frame) {
	if !p.inReset && p.step+1 == p.at {
		panic(fmt.Sprintf("worlds: test-panic-v0: step %d", p.at))
	}
	p.clock.Step(a, out)
}
