package envtest_test

import (
	"testing"

	"marlpit/envs"
	"marlpit/envs/envtest"
	"marlpit/envs/envtest/worlds"
)

func entry(tb testing.TB, id string) envs.Entry {
	tb.Helper()
	e, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// Each test world keeps the contract, with several sets of parameters.
func TestWorldsKeepTheContract(t *testing.T) {
	for id, params := range map[string][]map[string]any{
		"test-count-v0":  {nil, {"agents": 1, "length": 1}, {"agents": 8, "length": 30, "end": "truncate"}},
		"test-panic-v0":  {{"at": 1000, "length": 10}, {"at": 1_000_000, "in": "reset"}},
		"test-pixels-v0": {nil, {"agents": 4, "height": 4, "width": 16}, {"max_cycles": 0}},
		"test-slow-v0":   {{"millis": 0}},
		"test-stages-v0": {nil},
		"test-rounds-v0": {nil, {"agents": 1, "rounds": 1, "length": 1}, {"agents": 4, "rounds": 3, "length": 4}},
		"test-uneven-v0": {nil, {"cells": 2}, {"cells": 20, "max_cycles": 0}},
	} {
		t.Run(id, func(t *testing.T) { envtest.Run(t, entry(t, id), params...) })
	}
}

// stateless changes the learner's rewards and nothing else.
type stateless struct{ envs.Env }

func (w stateless) Unwrap() envs.Env { return w.Env }

func (w stateless) Step(a envs.Actions, out *envs.Frame) {
	w.Env.Step(a, out)
	for i := range out.Rewards {
		out.Rewards[i] *= 3
	}
}

func TestAWrapperKeepsTheContract(t *testing.T) {
	for _, id := range []string{"test-count-v0", "test-pixels-v0", "test-stages-v0", "test-uneven-v0"} {
		t.Run(id, func(t *testing.T) {
			envtest.RunWrapped(t, entry(t, id), func(e envs.Env) envs.Env { return stateless{e} })
		})
	}
}

func FuzzRestoreUneven(f *testing.F) { envtest.Fuzz(f, entry(f, "test-uneven-v0")) }

func BenchmarkUneven(b *testing.B) { envtest.Bench(b, entry(b, "test-uneven-v0"), nil) }
