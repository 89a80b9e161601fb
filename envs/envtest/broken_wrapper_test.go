package envtest

import (
	"slices"
	"strings"
	"testing"

	"marlpit/envs"
)

// tinker is a wrapper with a bug.
type tinker struct {
	envs.Env
	step func(t *tinker, out *envs.Frame)
	n    int
}

func (w *tinker) Unwrap() envs.Env { return w.Env }

func (w *tinker) Reset(seed uint64, out *envs.Frame) {
	w.n = 0
	w.Env.Reset(seed, out)
}

func (w *tinker) Step(a envs.Actions, out *envs.Frame) {
	w.Env.Step(a, out)
	w.n++
	w.step(w, out)
}

// sealed hides what is inside it.
type sealed struct{ envs.Env }

func TestBrokenWrappersAreCaught(t *testing.T) {
	for name, c := range map[string]struct {
		wrap  envs.Wrapper
		check string
		says  string
	}{
		"changes the team's reward": {func(e envs.Env) envs.Env {
			return &tinker{Env: e, step: func(_ *tinker, out *envs.Frame) { out.Team[0] *= 0.5 }}
		}, "wrapper", "team[0]"},
		"ends early": {func(e envs.Env) envs.Env {
			return &tinker{Env: e, step: func(w *tinker, out *envs.Frame) { out.Truncated[0] = w.n >= 3 }}
		}, "wrapper", "truncated[0]"},
		"pays the dead": {func(e envs.Env) envs.Env {
			return &tinker{Env: e, step: func(_ *tinker, out *envs.Frame) { out.Rewards[0] = 1 }}
		}, "ends", "had ended before"},
		"has state that isn't copied": {func(e envs.Env) envs.Env {
			return &tinker{Env: e, step: func(w *tinker, out *envs.Frame) {
				out.Rewards[2] = 0
				if w.n == 5 {
					out.Rewards[2] = 1
				}
			}}
		}, "clone", "plays on otherwise"},
		"has state that isn't saved": {func(e envs.Env) envs.Env {
			return &tinker{Env: e, step: func(w *tinker, out *envs.Frame) {
				out.Rewards[2] = 0
				if w.n == 6 {
					out.Rewards[2] = 1
				}
			}}
		}, "snapshot", "rewards[2]"},
		"hides abilities": {func(e envs.Env) envs.Env { return sealed{e} }, "wrapper", "no Unwrap"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSubject(t, world(t, "test-stages-v0"), c.wrap, nil)
			failed, said := verdict(t, s)
			if !slices.Contains(failed, c.check) || !strings.Contains(said, c.says) {
				t.Errorf("failed checks %v, want %s to say %q; they said:\n%s", failed, c.check, c.says, said)
			}
		})
	}
}
