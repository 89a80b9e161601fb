package wrappers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

func entry(t testing.TB, id string) envs.Entry {
	t.Helper()
	e, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	require.NoError(t, err)
	return e
}

func world(t testing.TB, id string, params map[string]any) envs.Env {
	t.Helper()
	e, err := entry(t, id).New(params)
	require.NoError(t, err)
	return e
}

// randomModel is a σ without meaning for a world: fitted to random votes on
// random features.
func randomModel(t testing.TB, e envs.Env, kind prefer.Kind, in shaping.Input, seed uint64) *prefer.Model {
	t.Helper()
	w := wrappers.World(e)
	var rng envs.Rand
	rng.Seed(seed)
	draw := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.Intn(9))
		}
		return x
	}
	var pairs []prefer.Pair
	for k := range 40 * len(w.Agents) {
		p := prefer.Pair{Agent: k % len(w.Agents), StateA: draw(w.StateSize), StateB: draw(w.StateSize), C: float64(rng.Intn(2))}
		if len(w.FocusSizes) > 0 {
			n := w.FocusSizes[p.Agent]
			p.FocusA, p.FocusB = draw(n), draw(n)
		}
		if kind == prefer.SharedLabels {
			for _, n := range w.FocusSizes {
				p.ViewsA, p.ViewsB = append(p.ViewsA, draw(n)), append(p.ViewsB, draw(n))
			}
		}
		pairs = append(pairs, p)
	}
	m, _, err := prefer.Fit(context.Background(), w, pairs, prefer.Options{Kind: kind, Input: in, Seed: seed, Epochs: 5, Header: prefer.Header{Name: "random"}})
	require.NoError(t, err)
	return m
}

// library holds a random model of each kind for a world.
func library(t testing.TB, e envs.Env, seed uint64) *wrappers.Library {
	t.Helper()
	l := &wrappers.Library{}
	for _, kind := range []prefer.Kind{prefer.Agents, prefer.Shared, prefer.Coin, prefer.SharedLabels} {
		if _, ok := envs.As[envs.Focuser](e); !ok && kind == prefer.SharedLabels {
			continue
		}
		l.Add("random-"+string(kind), randomModel(t, e, kind, "", seed))
	}
	return l
}

func build(t testing.TB, id string, params map[string]any, reward any, models wrappers.Models) envs.Wrapper {
	t.Helper()
	r, err := wrappers.ParseReward(reward)
	require.NoError(t, err)
	w, _, err := wrappers.Build(world(t, id, params), r, models)
	require.NoError(t, err)
	return w
}

// column reads an info column of an agent.
func column(e envs.Env, f *envs.Frame, agent int, name string) float32 {
	s := e.Spec()
	return f.Info[agent*len(s.Info)+s.InfoColumn(name)]
}

// noops is the joint action that does nothing.
func noops(e envs.Env) envs.Actions { return envs.Actions{Choice: e.Spec().Noop} }
