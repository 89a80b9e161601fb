package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

// annotate adds to each transition what the world can tell of it: features,
// words, families and credit for each agent and for the team. It returns what
// credit is measured by: "exact", "bound: …" where the world is too large for
// its solver and has a bound, or why there is none.
func annotate(ctx context.Context, e envs.Env, ts []votes.Transition) (string, error) {
	a := &annotator{env: e, spec: e.Spec(), frame: envs.NewFrame(e.Spec())}
	a.snap, _ = envs.As[envs.Snapshotter](e)
	a.focus, _ = envs.As[envs.Focuser](e)
	a.words, _ = envs.As[envs.Describer](e)
	a.class, _ = envs.As[envs.Classifier](e)
	why := a.prepareTruth()
	for i := range ts {
		if err := ctx.Err(); err != nil {
			return why, err
		}
		if err := a.transition(&ts[i]); err != nil {
			return why, err
		}
	}
	return why, nil
}

type annotator struct {
	env   envs.Env
	spec  *envs.Spec
	frame *envs.Frame
	snap  envs.Snapshotter
	focus envs.Focuser    // nil where the world has none
	words envs.Describer  // likewise
	class envs.Classifier // likewise
	work  func() float64  // least remaining work of the present state; nil where unknown
	text  []byte
}

// prepareTruth chooses the solver, else the bound.
func (a *annotator) prepareTruth() string {
	s, ok := envs.As[envs.Solver](a.env)
	switch {
	case a.spec.Continuous():
		return "box actions have no no-op"
	case !ok:
		return a.prepareBound("the world has no solver")
	}
	if err := s.Prepare(); err != nil {
		if errors.Is(err, envs.ErrTooLarge) {
			return a.prepareBound(err.Error())
		}
		return "the solver failed: " + err.Error()
	}
	a.work = func() float64 {
		work, _ := s.Remaining()
		return work
	}
	return "exact"
}

func (a *annotator) prepareBound(why string) string {
	b, ok := envs.As[envs.Bounder](a.env)
	if !ok {
		return why
	}
	a.work = b.Bound
	return "bound: " + b.BoundName()
}

func (a *annotator) transition(t *votes.Transition) error {
	agents := len(a.spec.Agents)
	t.Agents = make([]votes.Agent, agents+1)
	for i := range t.Agents {
		t.Agents[i].Index = i
		t.Agents[i].Truth = math.NaN()
	}
	team := &t.Agents[agents]
	team.Index = votes.Team

	// At a: features before, and the words of the way back.
	if err := a.restore(t.SnapshotA); err != nil {
		return err
	}
	a.describe(t, t.SnapshotB, 1, func(g *votes.Agent, x []float32) { g.FocusA = x })
	before := a.remaining()
	// At b: features after, and the words of the way there.
	if err := a.restore(t.SnapshotB); err != nil {
		return err
	}
	a.describe(t, t.SnapshotA, 0, func(g *votes.Agent, x []float32) { g.FocusB = x })
	if a.class != nil {
		for i := range a.spec.Agents {
			t.Agents[i].Family = a.class.Family(t.SnapshotA, i)
		}
	}
	team.Truth = before - a.remaining()
	return a.credit(t, before)
}

func (a *annotator) restore(snapshot []byte) error {
	if err := a.snap.Restore(snapshot, a.frame); err != nil {
		return fmt.Errorf("study: %s refuses its own snapshot: %w", a.spec.ID, err)
	}
	return nil
}

// remaining is the least work from the present state; NaN where unknown.
func (a *annotator) remaining() float64 {
	if a.work == nil {
		return math.NaN()
	}
	return a.work()
}

// describe writes each agent's features and words at the present state; way is
// 0 for the words of a → b, 1 for those of b → a.
func (a *annotator) describe(t *votes.Transition, from []byte, way int, setFocus func(*votes.Agent, []float32)) {
	for i := range a.spec.Agents {
		if a.focus != nil {
			setFocus(&t.Agents[i], a.focus.AppendFocus(nil, i))
		}
		if a.words != nil {
			t.Agents[i].Guided[way] = a.say(from, i, envs.Guided)
			t.Agents[i].Plain[way] = a.say(from, i, envs.Plain)
		}
	}
}

func (a *annotator) say(from []byte, agent int, view envs.View) string {
	a.text = a.words.AppendWords(a.text[:0], from, agent, view)
	return string(a.text)
}

// credit is W(a) − W(a after only this agent's move), the others doing nothing,
// W being the least work or its bound. Positive: the move helped.
func (a *annotator) credit(t *votes.Transition, before float64) error {
	if a.work == nil {
		return nil
	}
	dims := a.spec.ActionDims()
	for i := range a.spec.Agents {
		if err := a.restore(t.SnapshotA); err != nil {
			return err
		}
		only := slices.Clone(a.spec.Noop)
		copy(only[i*dims:(i+1)*dims], t.Actions[i*dims:(i+1)*dims])
		a.env.Step(envs.Actions{Choice: only}, a.frame)
		t.Agents[i].Truth = before - a.remaining()
	}
	return nil
}
