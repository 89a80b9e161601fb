package prefer_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/prefer"
)

func TestClusteredIsWilsonWhereAllIsIndependent(t *testing.T) {
	right := make([]bool, 100)
	alone, each := make([]int64, 100), make([]int64, 100)
	for i := range right {
		right[i], each[i] = i < 50, int64(i+1)
	}
	low, high := prefer.Wilson(50, 100)
	for _, clusters := range [][]int64{alone, each} {
		l, h := prefer.Clustered(clusters, right)
		assert.Equal(t, []float64{low, high}, []float64{l, h})
	}
	l, h := prefer.Clustered(nil, nil)
	assert.Equal(t, []float64{0, 1}, []float64{l, h})
}

func TestClusteredCountsEqualWordsOnce(t *testing.T) {
	// 20 texts, each asked ten times and always answered alike: 20 answers.
	var clusters []int64
	var right []bool
	for k := range 20 {
		for range 10 {
			clusters, right = append(clusters, int64(k+1)), append(right, k < 15)
		}
	}
	low, high := prefer.Clustered(clusters, right)
	wilsonLow, wilsonHigh := prefer.Wilson(15, 20)
	assert.InDelta(t, wilsonLow, low, 0.03)
	assert.InDelta(t, wilsonHigh, high, 0.03)
	assert.LessOrEqual(t, low, wilsonLow, "t of 19 degrees of freedom is wider")

	for i := range right {
		right[i] = true
	}
	low, high = prefer.Clustered(clusters, right)
	assert.InDelta(t, 0.82, low, 0.01, "all right: as many answers as texts, where Wilson of 200 says 0.98")
	assert.Equal(t, 1.0, high)

	one := make([]int64, 50)
	for i := range one {
		one[i] = 7
	}
	low, high = prefer.Clustered(one, right[:50])
	assert.Equal(t, []float64{0, 1}, []float64{low, high}, "one text says nothing about others")
}

// The interval holds the truth about as often as it says, where answers to
// equal words are wholly, partly or not at all alike.
func TestClusteredCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, alike := range []float64{0, 0.5, 1} {
		hit := 0
		const rounds = 1000
		for range rounds {
			var clusters []int64
			var right []bool
			for k := range 30 {
				fixed := rng.Float64() < 0.8
				for range 1 + rng.IntN(15) {
					r := fixed
					if rng.Float64() >= alike {
						r = rng.Float64() < 0.8
					}
					clusters, right = append(clusters, int64(k+1)), append(right, r)
				}
			}
			if low, high := prefer.Clustered(clusters, right); low <= 0.8 && 0.8 <= high {
				hit++
			}
		}
		t.Logf("alike %v: covers %.3f", alike, float64(hit)/rounds)
		assert.Greater(t, float64(hit)/rounds, 0.92, "alike %v", alike)
	}
}

// votes on texts, each asked n times, wrong at a rate: every time on its own, or
// once for all.
func textVotes(texts, n int, wrong float64, fixed bool) []prefer.TextVotes {
	rng := rand.New(rand.NewPCG(9, 9))
	var out []prefer.TextVotes
	for k := range texts {
		always := rng.Float64() < wrong
		for range n {
			v := prefer.TextVotes{Text: int64(k + 1), N: 3}
			for range 3 {
				if fixed && always || !fixed && rng.Float64() < wrong {
					v.Sum++
					v.Square++
				}
			}
			out = append(out, v)
		}
	}
	return out
}

func TestTextsTellHowManyVotesAreIndependent(t *testing.T) {
	v := textVotes(40, 10, 0.25, false)
	free := prefer.NewTexts(v, v, prefer.OfErrors)
	require.NotNil(t, free.Correlation)
	assert.Equal(t, 40, free.Distinct)
	assert.Equal(t, 40.0, free.Effective)
	assert.InDelta(t, 0, free.Correlation.Value, 0.02)
	assert.Less(t, free.Correlation.Low, free.Correlation.High)
	assert.Greater(t, free.Votes, 750.0, "of 1,200")

	v = textVotes(40, 10, 0.25, true)
	bound := prefer.NewTexts(v, v, prefer.OfErrors)
	assert.InDelta(t, 1, bound.Correlation.Value, 1e-3)
	assert.InDelta(t, 40, bound.Votes, 0.1)

	v = textVotes(40, 10, 0, false)
	perfect := prefer.NewTexts(v, v, prefer.OfErrors)
	assert.Nil(t, perfect.Correlation, "no mistakes, nothing to correlate")
	assert.Equal(t, 40.0, perfect.Votes)

	for i := range v {
		v[i].Text = 0
	}
	assert.Nil(t, prefer.NewTexts(v, v, prefer.OfErrors), "no words are known")
	uneven := []prefer.TextVotes{{Text: 1, N: 30}, {Text: 2, N: 10}, {Text: 3}}
	assert.Equal(t, 1.6, prefer.NewTexts(uneven, nil, prefer.OfVotes).Effective, "40²/(30² + 10²)")
}
