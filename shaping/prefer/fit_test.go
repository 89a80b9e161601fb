package prefer_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
	"marlpit/shaping/prefer"
)

const cells, stateSize, focusSize = 40, 100, 42

// lane is a world of two agents on a lane of cells. The state is one-hot
// places and a coordinate of each agent, then flags; focus is an agent's own part.
func lane() prefer.World {
	return prefer.World{
		Env: "lane-v1", Params: map[string]any{"cells": cells, "max_cycles": 50}, Agents: []string{"agent_0", "agent_1"},
		ObsVersion: 2, StateSize: stateSize, FocusSizes: []int{focusSize, focusSize},
	}
}

func laneState(at [2]int) []float32 {
	x := make([]float32, stateSize)
	for i, c := range at {
		x[i*(cells+1)+c] = 1
		x[i*(cells+1)+cells] = float32(c) / cells
	}
	return x
}

func laneFocus(at int) []float32 {
	x := make([]float32, focusSize)
	x[at], x[cells] = 1, float32(at)/cells
	return x
}

// lanePairs are n moves of each agent by one cell, agent 0 wants to go up,
// agent 1 down; each is voted on queries times, and votes are wrong at a rate.
func lanePairs(n int, wrong float64, queries int, seed uint64) []prefer.Pair {
	rng := rand.New(rand.NewPCG(seed, 1))
	var pairs []prefer.Pair
	for range n {
		a := [2]int{rng.IntN(cells), rng.IntN(cells)}
		b := a
		for i := range b {
			if b[i] += 2*rng.IntN(2) - 1; b[i] < 0 || b[i] >= cells {
				b[i] = a[i]
			}
		}
		for i := range 2 {
			p := prefer.Pair{Agent: i, StateA: laneState(a), StateB: laneState(b), FocusA: laneFocus(a[i]), FocusB: laneFocus(b[i])}
			up := b[i] > a[i]
			if i == 1 {
				up = b[i] < a[i]
			}
			for range queries {
				if a[i] == b[i] {
					p.C += 0.5
				} else if up != (rng.Float64() < wrong) {
					p.C++
				}
			}
			p.C /= float64(queries)
			pairs = append(pairs, p)
		}
	}
	return pairs
}

func fit(t testing.TB, pairs []prefer.Pair, opt prefer.Options) (*prefer.Model, *prefer.Report) {
	t.Helper()
	m, r, err := prefer.Fit(context.Background(), lane(), pairs, opt)
	require.NoError(t, err)
	return m, r
}

// ordered is the share of neighbouring cells that σ puts in the right order.
func ordered(m *prefer.Model, agent int) float64 {
	right := 0
	for c := range cells - 1 {
		a, b := laneState([2]int{c, 20}), laneState([2]int{c + 1, 20})
		if agent == 1 {
			a, b = laneState([2]int{20, c + 1}), laneState([2]int{20, c})
		}
		if m.Input(agent) == shaping.Focus {
			a, b = laneFocus(c), laneFocus(c+1)
			if agent == 1 {
				a, b = b, a
			}
		}
		if m.Value(agent, b) > m.Value(agent, a) {
			right++
		}
	}
	return float64(right) / (cells - 1)
}

func TestFitRecoversAnOrder(t *testing.T) {
	for _, in := range []shaping.Input{prefer.Auto, shaping.State, shaping.Focus} {
		m, _ := fit(t, lanePairs(1000, 0, 1, 3), prefer.Options{Input: in})
		for i := range 2 {
			assert.Greater(t, m.Header.Nets[i].HeldOut.Rate(), 0.97, in)
			assert.Greater(t, m.Header.Nets[i].HeldOut.N, 100)
			assert.Less(t, m.Header.Nets[i].HeldOut.Low, m.Header.Nets[i].HeldOut.Rate())
			assert.Greater(t, ordered(m, i), 0.95, in)
			assert.Greater(t, m.SD(i), 0.1)
		}
	}
}

func TestFitStandsNoise(t *testing.T) {
	m, _ := fit(t, lanePairs(2000, 0.25, 3, 3), prefer.Options{Input: shaping.Focus})
	for i := range 2 {
		assert.Greater(t, ordered(m, i), 0.85)
		assert.Greater(t, m.Header.Nets[i].HeldOut.Rate(), 0.7) // of noisy votes: about 84 % are right
	}
}

func TestTiesLeaveSigmaFlat(t *testing.T) {
	pairs := lanePairs(300, 0, 1, 3)
	for i := range pairs {
		pairs[i].C = 0.5
	}
	m, r := fit(t, pairs, prefer.Options{})
	for i := range 2 {
		assert.Zero(t, m.SD(i))
		assert.Equal(t, m.Value(i, laneState([2]int{1, 1})), m.Value(i, laneState([2]int{30, 5})))
		assert.Zero(t, m.Header.Nets[i].HeldOut.N)
		assert.Equal(t, 45, m.Header.Nets[i].HeldOut.Ties)
		assert.InDelta(t, math.Ln2, r.Nets[i].Loss, 1e-4)
	}
}

func TestSigmaIsCentred(t *testing.T) {
	pairs := lanePairs(400, 0, 1, 5)
	for i := range pairs {
		pairs[i].Held = i%10 == 0
	}
	m, _ := fit(t, pairs, prefer.Options{Input: shaping.State})
	var sum, d, d2, n float64
	for _, p := range pairs {
		if p.Agent == 1 && !p.Held {
			a, b := float64(m.Value(1, p.StateA)), float64(m.Value(1, p.StateB))
			sum += a + b
			d, d2, n = d+b-a, d2+(b-a)*(b-a), n+1
		}
	}
	assert.InDelta(t, 0, sum/n, 1e-4)
	assert.InDelta(t, math.Sqrt(d2/n-d/n*d/n), m.SD(1), 1e-6)
}

func TestAutoTakesWhatHelps(t *testing.T) {
	pairs := lanePairs(600, 0, 1, 5)
	for i := range pairs { // the own view of agent 0 says nothing
		if pairs[i].Agent == 0 {
			pairs[i].FocusA, pairs[i].FocusB = make([]float32, focusSize), make([]float32, focusSize)
		} else { // the state says nothing to agent 1
			pairs[i].StateA, pairs[i].StateB = make([]float32, stateSize), make([]float32, stateSize)
		}
	}
	m, r := fit(t, pairs, prefer.Options{})
	assert.Equal(t, shaping.State, m.Input(0))
	assert.Equal(t, shaping.Focus, m.Input(1))
	assert.Len(t, r.Nets[0].Tried, 2)
	assert.Less(t, r.Nets[0].Tried[shaping.Focus].Right, r.Nets[0].Tried[shaping.State].Right)
}

func TestEqualArgumentsGiveEqualBytes(t *testing.T) {
	pairs := lanePairs(200, 0.1, 3, 5)
	save := func(opt prefer.Options) []byte {
		m, _ := fit(t, pairs, opt)
		var b bytes.Buffer
		require.NoError(t, m.Save(&b))
		return b.Bytes()
	}
	first := save(prefer.Options{Seed: 4})
	assert.Equal(t, first, save(prefer.Options{Seed: 4}))
	assert.NotEqual(t, first, save(prefer.Options{Seed: 5}))
}

func TestSharedIsOneNet(t *testing.T) {
	pairs := lanePairs(200, 0, 1, 5)
	for i := range pairs {
		pairs[i].Agent = -1
	}
	m, r := fit(t, pairs, prefer.Options{Kind: prefer.Shared})
	assert.Len(t, r.Nets, 1)
	x := laneState([2]int{3, 4})
	assert.Equal(t, m.Value(0, x), m.Value(1, x))
}

func TestFitRefuses(t *testing.T) {
	good := lanePairs(20, 0, 1, 1)
	change := func(f func(*prefer.Pair)) []prefer.Pair {
		pairs := append([]prefer.Pair(nil), good...)
		f(&pairs[7])
		return pairs
	}
	for name, c := range map[string]struct {
		pairs []prefer.Pair
		opt   prefer.Options
	}{
		"pair 7: agent 2":        {pairs: change(func(p *prefer.Pair) { p.Agent = 2 })},
		"confidence NaN":         {pairs: change(func(p *prefer.Pair) { p.C = math.NaN() })},
		"confidence 1.1":         {pairs: change(func(p *prefer.Pair) { p.C = 1.1 })},
		"weight -1":              {pairs: change(func(p *prefer.Pair) { p.Weight = -1 })},
		"want 100":               {pairs: change(func(p *prefer.Pair) { p.StateB = p.StateB[1:] })},
		"want 42":                {pairs: change(func(p *prefer.Pair) { p.FocusA = nil })},
		"a feature is +Inf":      {pairs: change(func(p *prefer.Pair) { p.StateA = append(laneState([2]int{})[:99], float32(math.Inf(1))) })},
		"no pairs to fit to for": {pairs: good[:1]},
		"kind":                   {pairs: good, opt: prefer.Options{Kind: "both"}},
		"input":                  {pairs: good, opt: prefer.Options{Input: "words"}},
		"rate":                   {pairs: good, opt: prefer.Options{Rate: math.NaN()}},
		"held-out":               {pairs: good, opt: prefer.Options{HeldOut: 0.9}},
		"epochs":                 {pairs: good, opt: prefer.Options{Epochs: -1}},
		"reads the state":        {pairs: good, opt: prefer.Options{Kind: prefer.Shared, Input: shaping.Focus}},
	} {
		_, _, err := prefer.Fit(context.Background(), lane(), c.pairs, c.opt)
		require.ErrorIs(t, err, prefer.ErrPairs, name)
		assert.ErrorContains(t, err, name)
	}
}

func TestFitHonoursTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := prefer.Fit(ctx, lane(), lanePairs(50, 0, 1, 1), prefer.Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTanhIsNearTanh(t *testing.T) {
	worst := 0.0
	for x := -12.0; x <= 12; x += 1e-4 {
		worst = max(worst, math.Abs(float64(prefer.Tanh(float32(x)))-math.Tanh(x)))
	}
	assert.Less(t, worst, 1e-4)
	t.Logf("greatest error %.2e", worst)
	assert.Zero(t, prefer.Tanh(0))
}

func TestWilson(t *testing.T) {
	low, high := prefer.Wilson(32, 32)
	assert.InDelta(t, 0.8928, low, 1e-4)
	assert.Equal(t, 1.0, high)
	low, high = prefer.Wilson(0, 0)
	assert.Equal(t, []float64{0, 1}, []float64{low, high})
	low, high = prefer.Wilson(50, 100)
	assert.InDelta(t, 0.4038, low, 1e-4)
	assert.InDelta(t, 0.5962, high, 1e-4)
}

func BenchmarkFit(b *testing.B) {
	pairs := lanePairs(2000, 0.25, 3, 3)
	for b.Loop() {
		fit(b, pairs, prefer.Options{Input: shaping.State})
	}
}

func BenchmarkValue(b *testing.B) {
	m, _ := fit(b, lanePairs(100, 0, 1, 3), prefer.Options{Input: shaping.State, Epochs: 2})
	x := laneState([2]int{7, 9})
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m.Value(0, x)
		m.Value(1, x)
		n += 2
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "values/s")
}
