package worlds

import (
	"time"

	"marlpit/envs"
)

type slowParams struct {
	Millis int `param:"millis" min:"0" max:"60000" help:"milliseconds each step takes"`
	Length int `param:"length" min:"1" max:"1000000" help:"steps until truncation"`
}

// slow is test-slow-v0: a world that takes its time.
type slow struct {
	clock
	nap time.Duration
}

func slowEntry() envs.Entry {
	return envs.Define("test-slow-v0", "Sleeps in every step.",
		"Two agents count steps, and every step of a running episode takes `millis` milliseconds. Truncated after `length` steps.",
		slowParams{Millis: 10, Length: 100},
		func(p slowParams) (envs.Env, error) {
			return &slow{newClock("test-slow-v0", p, 2, p.Length, true), time.Duration(p.Millis) * time.Millisecond}, nil
		})
}

// Step implements envs.Env.
func (s *slow) Step(a envs.Actions, out *envs.Frame) {
	if !s.ended() {
		time.Sleep(s.nap)
	}
	s.clock.Step(a, out)
}
