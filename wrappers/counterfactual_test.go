package wrappers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/envs/envtest"
	"marlpit/wrappers"
)

func TestDifferenceByHand(t *testing.T) {
	for name, c := range map[string]struct {
		pays   []float64 // nobody, the first, the second, both
		choice []int32
		want   []float32
	}{
		"each on its own":       {[]float64{1, 3, 4, 6}, []int32{1, 1}, []float32{2, 3}},
		"only together":         {[]float64{0, 0, 0, 1}, []int32{1, 1}, []float32{1, 1}},
		"either is enough":      {[]float64{0, 1, 1, 1}, []int32{1, 1}, []float32{0, 0}},
		"in each other's way":   {[]float64{0, 1, 1, -1}, []int32{2, 1}, []float32{-2, -2}},
		"one does nothing":      {[]float64{0, 5, 7, 9}, []int32{0, 2}, []float32{0, 7}},
		"both do nothing":       {[]float64{3, 5, 7, 9}, []int32{0, 0}, []float32{0, 0}},
		"a choice out of range": {[]float64{0, 5, 7, 9}, []int32{1, 0}, []float32{5, 0}},
	} {
		e, f, _ := rewarded(t, table(2, c.pays), plain("difference", "team", nil))
		assert.Equal(t, c.want, step(e, f, c.choice...), name)
	}
}

func TestBonusCostAndScaleAreAsElsewhere(t *testing.T) {
	e, f, _ := rewarded(t, table(2, []float64{0, 0, 0, 4}), map[string]any{"scheme": "difference", "value": "team", "scale": 0.5, "step_cost": 0.25})
	assert.Equal(t, []float32{1.75, 1.75}, step(e, f, 1, 1))
	assert.Equal(t, float32(2), column(e, f, 0, "shaping"))
	assert.Equal(t, []float32{4, 4}, f.Team)

	count := world(t, "test-count-v0", map[string]any{"length": 1})
	e, f, _ = rewarded(t, count, map[string]any{"scheme": "shapley", "value": "team"})
	cost := float32(0.01)
	assert.Equal(t, []float32{1 - cost, 1 - cost}, step(e, f, 1, 1), "nobody can hurry or stop the count")
}

// One left glove, two right ones: the only left one is worth two thirds.
func TestShapleyByHand(t *testing.T) {
	gloves := []float64{0, 0, 0, 1, 0, 1, 0, 1}
	e, f, _ := rewarded(t, table(3, gloves), plain("shapley", "team", nil))
	r := step(e, f, 1, 1, 1)
	assert.InDeltaSlice(t, []float32{2. / 3, 1. / 6, 1. / 6}, r, 1e-6)
	assert.InDeltaSlice(t, []float32{.5, .5, 0}, step(e, f, 1, 2, 0), 1e-6)
	e, f, _ = rewarded(t, table(3, gloves), plain("difference", "team", nil))
	assert.Equal(t, []float32{1, 0, 0}, step(e, f, 1, 1, 1))
}

// byOrders is the Shapley value by its definition: the mean over all orders.
func byOrders(n int, v []float64) []float64 {
	out, orders := make([]float64, n), 0.0
	var walk func(s int, marginal []float64)
	walk = func(s int, marginal []float64) {
		if s == 1<<n-1 {
			orders++
			for i, m := range marginal {
				out[i] += m
			}
			return
		}
		for i := range n {
			if s>>i&1 == 0 {
				marginal[i] = v[s|1<<i] - v[s]
				walk(s|1<<i, marginal)
			}
		}
	}
	walk(0, make([]float64, n))
	for i := range out {
		out[i] /= orders
	}
	return out
}

// TestShapleyAxioms: shares are those of the definition and sum to v(all) −
// v(none); players who are alike get alike, one who changes nothing gets nothing.
func TestShapleyAxioms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "agents")
		v := make([]float64, 1<<n)
		for s := range v {
			v[s] = float64(rapid.IntRange(-20, 20).Draw(rt, "v"))
		}
		kind := rapid.SampledFrom([]string{"any", "null", "alike"}).Draw(rt, "kind")
		for s := range v {
			switch {
			case n < 2:
			case kind == "null" && s&1 == 1:
				v[s] = v[s&^1] // agent 0 changes nothing
			case kind == "alike" && s&3 == 2:
				v[s] = v[s&^2|1] // agents 0 and 1 are interchangeable
			}
		}
		e, f, _ := rewarded(rt, table(n, v), plain("shapley", "team", nil))
		choice := make([]int32, n)
		for i := range choice {
			choice[i] = 1
		}
		got := step(e, f, choice...)
		sum := 0.0
		for i, want := range byOrders(n, v) {
			require.InDelta(rt, want, got[i], 1e-4)
			sum += float64(got[i])
		}
		require.InDelta(rt, v[len(v)-1]-v[0], sum, 1e-4)
		if n >= 2 && kind == "null" {
			require.Zero(rt, got[0])
		}
		if n >= 2 && kind == "alike" {
			require.InDelta(rt, got[0], got[1], 1e-4)
		}
	})
}

// TestSampledShapley: beyond six players efficiency and null players still hold
// for every draw, an additive game is exact, and more orders come nearer.
func TestSampledShapley(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(7, 8).Draw(rt, "agents")
		v := make([]float64, 1<<n)
		var rng envs.Rand
		rng.Seed(rapid.Uint64().Draw(rt, "game"))
		additive := rapid.Bool().Draw(rt, "additive")
		for s := range v {
			v[s] = float64(rng.Intn(41) - 20)
			if additive {
				v[s] = 1
				for i := range n {
					v[s] += float64((s >> i & 1) * i)
				}
			} else if s&1 == 1 {
				v[s] = v[s&^1]
			}
		}
		e, f, _ := rewarded(rt, table(n, v), plain("shapley", "team", map[string]any{"samples": rapid.IntRange(1, 9).Draw(rt, "samples"), "seed": 3}))
		choice := make([]int32, n)
		for i := range choice {
			choice[i] = 2
		}
		got := step(e, f, choice...)
		sum := 0.0
		for i, x := range got {
			sum += float64(x)
			if additive {
				require.InDelta(rt, i, x, 1e-5)
			}
		}
		require.Zero(rt, got[0])
		require.InDelta(rt, v[len(v)-1]-v[0], sum, 1e-4)
	})

	v := make([]float64, 128) // pays 1 from four agents on: 1/7 each
	for s := range v {
		n := 0
		for i := range 7 {
			n += s >> i & 1
		}
		if n >= 4 {
			v[s] = 1
		}
	}
	far := func(samples int) (worst float64) {
		e, f, _ := rewarded(t, table(7, v), plain("shapley", "team", map[string]any{"samples": samples}))
		for _, x := range step(e, f, 1, 1, 1, 1, 1, 1, 1) {
			worst = max(worst, math.Abs(float64(x)-1./7))
		}
		return worst
	}
	assert.Less(t, far(1000), 0.03)
	assert.Greater(t, far(2), 0.1)
}

// Dead agents are no players, whatever they are said to do, and get nothing; a
// shared reward is read off one that lives.
func TestDeadAgentsHaveNoShare(t *testing.T) {
	for _, scheme := range []string{"difference", "shapley"} {
		e, f, _ := rewarded(t, newPayoff(true, []int{1, 1000, 1000}, func(_ *payoff, c []int32) float32 {
			return float32(c[0] + 10*c[1] + 100*c[2])
		}), plain(scheme, "team", map[string]any{"step_cost": 1}))
		assert.InDeltaSlice(t, []float32{0, 9, 99}, step(e, f, 1, 1, 1), 1e-5, scheme)
		assert.InDeltaSlice(t, []float32{0, 19, -1}, step(e, f, 1, 2, 0), 1e-5, scheme)
		assert.Zero(t, column(e, f, 0, "shaping"))
	}
	// Individual rewards: the team's value is their sum over the living.
	e, f, _ := rewarded(t, newPayoff(false, []int{1, 1000, 1000}, func(_ *payoff, c []int32) float32 {
		return float32(c[1])
	}), plain("difference", "team", nil))
	assert.Equal(t, []float32{0, 3, 0}, step(e, f, 1, 1, 1))
	assert.Equal(t, []float32{0, 2, 0}, step(e, f, 1, 1, 1))
}

// rising pays the level in each step; acting raises it for good.
func rising() *payoff {
	return newPayoff(true, forever(2), func(p *payoff, c []int32) float32 {
		p.level += float32(c[0] + 2*c[1])
		return p.level
	})
}

func TestReturnOfARollout(t *testing.T) {
	of := func(more map[string]any) []float32 {
		e, f, _ := rewarded(t, rising(), plain("difference", "return", more))
		return append([]float32(nil), step(e, f, 1, 1)...)
	}
	assert.Equal(t, []float32{3, 6}, of(map[string]any{"horizon": 3, "policy": "noop"}))
	assert.Equal(t, []float32{1.75, 3.5}, of(map[string]any{"horizon": 3, "policy": "noop", "discount": 0.5}))
	assert.Equal(t, []float32{1, 2}, of(map[string]any{"horizon": 1}))
	// What the random policy adds to the level is the same in all copies of a step.
	assert.Equal(t, []float32{4, 8}, of(map[string]any{"horizon": 4, "rollouts": 3, "seed": 9}))
}

// Chance falls in a copy as it does in the game, and the game's own stream goes
// on as if nobody had looked.
func TestChanceIsTheSameInAllCopies(t *testing.T) {
	lucky := func() *payoff {
		return newPayoff(true, forever(2), func(p *payoff, c []int32) float32 {
			return 8*float32(p.rng.Intn(100)) + float32(c[0]+2*c[1])
		})
	}
	bare := lucky()
	g := envs.NewFrame(bare.Spec())
	for _, scheme := range []string{"difference", "shapley"} {
		e, f, _ := rewarded(t, lucky(), plain(scheme, "return", map[string]any{"horizon": 5}))
		bare.Reset(0, g)
		for range 20 {
			assert.InDeltaSlice(t, []float32{2, 2}, step(e, f, 2, 1), 1e-3)
			step(bare, g, 2, 1)
			require.Equal(t, g.Team, f.Team)
		}
	}
}

// Roll-outs differ from step to step, and are those of the seed, the episode's
// seed and the step's number.
func TestRolloutsAreDrawnAnewInEachStep(t *testing.T) {
	draws := func(seed int, episode uint64) (out []float32) {
		// The first raises the level for good, the second is paid for: a raise
		// earns what the second happens to do in the roll-out.
		e, f, _ := rewarded(t, newPayoff(true, forever(2), func(p *payoff, c []int32) float32 {
			p.level += float32(c[0])
			return p.level * float32(c[1])
		}), plain("difference", "return", map[string]any{"horizon": 6, "seed": seed}))
		e.Reset(episode, f)
		for range 12 {
			out = append(out, step(e, f, 1, 0)[0])
		}
		return out
	}
	a := draws(1, 0)
	assert.Equal(t, a, draws(1, 0))
	assert.NotEqual(t, a, draws(2, 0))
	assert.NotEqual(t, a, draws(1, 1))
	different := map[float32]bool{}
	for _, x := range a {
		different[x] = true
		assert.True(t, x >= 0 && x <= 10 && x == float32(int(x)), "%v", x)
	}
	assert.Greater(t, len(different), 2)
}

func TestCounterfactualContract(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"team":   {"value": "team"},
		"random": {"value": "return", "horizon": 4, "rollouts": 2},
		"noop":   {"value": "return", "policy": "noop", "horizon": 3},
	} {
		for _, scheme := range []string{"difference", "shapley"} {
			more["scheme"] = scheme
			for _, id := range []string{"test-count-v0", "test-stages-v0", "test-uneven-v0", "test-pixels-v0"} {
				t.Run(name+"/"+scheme+"/"+id, func(t *testing.T) {
					envtest.RunWrapped(t, entry(t, id), build(t, id, nil, more, nil))
				})
			}
		}
	}
	w := build(t, "test-count-v0", map[string]any{"agents": 8}, map[string]any{"scheme": "shapley", "value": "team", "samples": 3}, nil)
	envtest.RunWrapped(t, entry(t, "test-count-v0"), w, map[string]any{"agents": 8})
}

// Every shipped world keeps the contract under both schemes, by least work and
// by roll-outs; victim-rubble also where agents end one after the other, and
// with more than six of them.
func TestCounterfactualContractOfTheCatalogue(t *testing.T) {
	type game struct {
		entry  envs.Entry
		params map[string]any
	}
	games := []game{{entry(t, "test-uneven-v0"), nil}}
	for _, e := range catalog.All() {
		if g, err := e.New(nil); err == nil && g.Spec().PolicySolver {
			continue // every value plays a solution out, which takes long and memory
		}
		games = append(games, game{e, nil})
		if e.ID == "victim-rubble-v1" {
			games = append(games, game{e, map[string]any{"ending": "leave"}}, game{e, map[string]any{"ending": "death"}},
				game{e, map[string]any{"layout": "sites", "engineers": 4, "medics": 4}})
		}
	}
	for _, g := range games {
		for _, reward := range []map[string]any{
			{"scheme": "difference"},
			{"scheme": "shapley", "samples": 3},
			{"scheme": "difference", "value": "return", "horizon": 2, "policy": "best"},
			{"scheme": "shapley", "samples": 2, "value": "return", "horizon": 2},
		} {
			t.Run(g.entry.ID, func(t *testing.T) {
				e, err := g.entry.New(g.params)
				require.NoError(t, err)
				r, err := wrappers.ParseReward(reward)
				require.NoError(t, err)
				w, _, err := wrappers.Build(e, r, nil)
				require.NoError(t, err)
				envtest.RunWrapped(t, g.entry, w, g.params)
			})
		}
	}
}
