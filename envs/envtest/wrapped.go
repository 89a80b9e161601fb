package envtest

import (
	"reflect"
	"testing"

	"marlpit/envs"
)

// checkWrapper tests what a wrapper must leave alone: the agents, their spaces,
// the team's reward, the ends and success; and that abilities show through it.
func checkWrapper(tb testing.TB, s *subject) {
	game := s.inner(tb)
	inner, outer := game.Spec(), s.spec
	if !reflect.DeepEqual(inner.Agents, outer.Agents) || !reflect.DeepEqual(inner.Roles, outer.Roles) {
		tb.Fatalf("wrapper: agents %v became %v", inner.Agents, outer.Agents)
	}
	if !reflect.DeepEqual(inner.Params, outer.Params) || inner.Team != outer.Team || inner.Rewards != outer.Rewards || inner.MaxCycles != outer.MaxCycles {
		tb.Error("wrapper: parameters, the kind and range of the team's reward or the limit changed in the spec")
	}
	for _, column := range inner.Info {
		if outer.InfoColumn(column) < 0 {
			tb.Fatalf("wrapper: the info column %q is gone", column)
		}
	}
	checkAbilities(tb, game, s.wrap(s.inner(tb)))
	for _, seed := range seeds {
		bare, wrapped := newPlayer(s.inner(tb), seed), s.play(tb, seed)
		bare.reset(seed)
		for range horizon {
			if d := untouched(bare, wrapped); d != "" {
				tb.Fatalf("wrapper: seed %d, step %d: not as in the game inside: %s", seed, bare.t, d)
			}
			a := wrapped.random()
			wrapped.step(a)
			bare.step(a)
		}
	}
}

// untouched tells the first difference in what belongs to the game alone.
func untouched(bare, wrapped *player) string {
	for _, d := range []string{
		diffSlice("team", wrapped.frame.Team, bare.frame.Team),
		diffSlice("terminated", wrapped.frame.Terminated, bare.frame.Terminated),
		diffSlice("truncated", wrapped.frame.Truncated, bare.frame.Truncated),
	} {
		if d != "" {
			return d
		}
	}
	for k, column := range bare.spec.Info {
		to := wrapped.spec.InfoColumn(column)
		for i, name := range bare.spec.Agents {
			got, want := wrapped.frame.Info[i*len(wrapped.spec.Info)+to], bare.frame.Info[i*len(bare.spec.Info)+k]
			if got != want {
				return column + " of " + name + " in info differs"
			}
		}
	}
	return ""
}

// checkAbilities tests that As finds through the wrapper what it finds in the game.
func checkAbilities(tb testing.TB, game, wrapped envs.Env) {
	if _, ok := wrapped.(envs.Unwrapper); !ok {
		tb.Fatalf("wrapper: %T has no Unwrap", wrapped)
	}
	for name, has := range map[string]func(envs.Env) bool{
		"Focuser": able[envs.Focuser], "Describer": able[envs.Describer], "Drawer": able[envs.Drawer],
		"Snapshotter": able[envs.Snapshotter], "Cloner": able[envs.Cloner], "Solver": able[envs.Solver],
		"DenseRewarder": able[envs.DenseRewarder],
	} {
		if has(game) && !has(wrapped) {
			tb.Errorf("wrapper: the %s of the game is hidden", name)
		}
	}
}

func able[T any](e envs.Env) bool {
	_, ok := envs.As[T](e)
	return ok
}
