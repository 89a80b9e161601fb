package shaping_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping"
)

func ask(t *testing.T, c shaping.Critic, q shaping.Question) shaping.Answer {
	t.Helper()
	a, err := c.Ask(context.Background(), q)
	require.NoError(t, err)
	return a
}

func TestOracleErrorRateIsMeasured(t *testing.T) {
	for _, rate := range []float64{0, 0.1, 0.25, 0.4, 1} {
		o, err := shaping.NewOracle(rate, "", 7)
		require.NoError(t, err)
		wrong := 0
		const n = 20000
		for k := range n {
			truth := float64(k%2*2 - 1)
			a := ask(t, o, shaping.Question{Truth: truth, Key: uint64(k / 5), Query: k % 5})
			if (a.Vote == shaping.Second) != (truth > 0) {
				wrong++
			}
		}
		assert.InDelta(t, rate, float64(wrong)/n, 0.012, "rate %v", rate)
	}
}

func TestOracleDrawsDependOnSeedKeyAndQueryAlone(t *testing.T) {
	a := &shaping.Oracle{ErrorRate: 0.5, Seed: 1}
	b := &shaping.Oracle{ErrorRate: 0.5, Seed: 2}
	same, otherSeed, otherQuery := 0, 0, 0
	for k := range uint64(2000) {
		q := shaping.Question{Truth: 1, Key: k, Query: 0, Forward: "x"}
		first := ask(t, a, q)
		q.Forward = "other words"
		if ask(t, a, q).Vote == first.Vote {
			same++
		}
		if ask(t, b, q).Vote == first.Vote {
			otherSeed++
		}
		q.Query = 1
		if ask(t, a, q).Vote == first.Vote {
			otherQuery++
		}
	}
	assert.Equal(t, 2000, same)
	assert.InDelta(t, 1000, otherSeed, 110)
	assert.InDelta(t, 1000, otherQuery, 110)
}

func TestOraclePerTextErrsOnTheText(t *testing.T) {
	o := &shaping.Oracle{ErrorRate: 0.5, Noise: shaping.NoisePerText}
	votes := map[shaping.Vote]int{}
	for k := range 100 {
		votes[ask(t, o, shaping.Question{Truth: 1, Key: uint64(k), Query: k, Forward: "same"}).Vote]++
	}
	assert.Len(t, votes, 1)
}

func TestOraclePerFamilyErrsByTheFamily(t *testing.T) {
	for _, rate := range []float64{0, 0.25, 0.8, 1} {
		o, err := shaping.NewOracle(rate, shaping.NoisePerFamily, 5)
		require.NoError(t, err)
		const families, texts = 400, 200
		total := 0
		var rates []float64
		for f := range families {
			wrong := 0
			for i := range texts {
				q := shaping.Question{Truth: 1, Key: uint64(i), Family: fmt.Sprint("family ", f), Forward: fmt.Sprint(f, i)}
				first := ask(t, o, q)
				q.Query, q.Key = 3, 99
				require.Equal(t, first, ask(t, o, q), "asking again is no help")
				if first.Vote == shaping.First {
					wrong++
				}
			}
			total += wrong
			rates = append(rates, float64(wrong)/texts)
		}
		assert.InDelta(t, rate, float64(total)/families/texts, 0.02, "mean over families")
		spread := min(rate, 1-rate)
		assert.InDelta(t, rate-spread, slices.Min(rates), 0.05)
		assert.InDelta(t, rate+spread, slices.Max(rates), 0.1)
	}
	_, err := (&shaping.Oracle{ErrorRate: 0.2, Noise: shaping.NoisePerFamily}).Ask(context.Background(), shaping.Question{Truth: 1})
	assert.ErrorIs(t, err, shaping.ErrFamily)
}

func TestOracleTieAndUnknown(t *testing.T) {
	o := &shaping.Oracle{ErrorRate: 1}
	a := ask(t, o, shaping.Question{Truth: 0})
	assert.Equal(t, shaping.Tie, a.Vote)
	assert.Equal(t, 0.5, a.Confidence)
	_, err := o.Ask(context.Background(), shaping.Question{Truth: math.NaN()})
	assert.ErrorIs(t, err, shaping.ErrTruth)
}

func TestOracleOptions(t *testing.T) {
	for _, rate := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		_, err := shaping.NewOracle(rate, "", 0)
		assert.ErrorIs(t, err, shaping.ErrOptions)
	}
	_, err := shaping.NewOracle(0.2, "pink", 0)
	assert.ErrorIs(t, err, shaping.ErrOptions)
}

func TestCoinIsFair(t *testing.T) {
	second := 0
	for k := range uint64(10000) {
		a := ask(t, shaping.Coin{Seed: 3}, shaping.Question{Key: k, Truth: math.NaN()})
		if a.Vote == shaping.Second {
			second++
		}
	}
	assert.InDelta(t, 5000, second, 200)
}

func TestAlwaysFirstGivesFlippedTies(t *testing.T) {
	for _, truth := range []float64{-1, 0, 1, math.NaN()} {
		a := ask(t, shaping.AlwaysFirst{}, shaping.Question{Truth: truth})
		assert.Equal(t, shaping.Answer{Vote: shaping.Tie, Confidence: 0.5, Flipped: true}, a)
	}
}

func TestBothOrders(t *testing.T) {
	const f, s, tie, bad = shaping.First, shaping.Second, shaping.Tie, shaping.Invalid
	for _, c := range []struct {
		shown, exchanged, want shaping.Vote
		flipped                bool
	}{
		{f, s, f, false}, {s, f, s, false}, {f, f, tie, true}, {s, s, tie, true},
		{tie, tie, tie, false}, {tie, f, tie, false}, {s, tie, tie, false},
		{bad, f, bad, false}, {f, bad, bad, false}, {"", s, bad, false},
	} {
		a := shaping.BothOrders(c.shown, c.exchanged)
		assert.Equal(t, c.want, a.Vote, "%v %v", c.shown, c.exchanged)
		assert.Equal(t, c.flipped, a.Flipped, "%v %v", c.shown, c.exchanged)
	}
}

func TestCriticsHonourTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []shaping.Critic{&shaping.Oracle{}, shaping.Coin{}, shaping.AlwaysFirst{}, shaping.NewRule(), &shaping.Human{}} {
		_, err := c.Ask(ctx, shaping.Question{Truth: 1})
		assert.ErrorIs(t, err, context.Canceled, c.Name())
	}
}
