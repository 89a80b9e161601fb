package envs_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"marlpit/envs"
)

// The reference vectors of splitmix64 (seed 1234567) and xoshiro256** (state
// 1, 2, 3, 4): recordings depend on the algorithm, so it can never change.
func TestRandIsXoshiro256StarStar(t *testing.T) {
	var r envs.Rand
	r.Seed(1234567)
	assert.Equal(t, [4]uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431}, r.S)

	r.S = [4]uint64{1, 2, 3, 4}
	for i, want := range []uint64{
		11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
		16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
	} {
		assert.Equal(t, want, r.Uint64(), "output %d", i)
	}
}

// What worlds draw from a seed, fixed as well.
func TestRandKnownAnswers(t *testing.T) {
	var r envs.Rand
	r.Seed(0)
	assert.Equal(t, [4]uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec}, r.S)
	var dice []int
	for range 12 {
		dice = append(dice, r.Intn(6))
	}
	assert.Equal(t, []int{3, 4, 0, 2, 4, 5, 2, 3, 5, 5, 0, 0}, dice)
	assert.Equal(t, 0.10667465014124933, r.Float64())
	order := []int{0, 1, 2, 3, 4, 5, 6, 7}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	assert.Equal(t, []int{2, 4, 7, 0, 6, 1, 3, 5}, order)
	assert.Equal(t, uint64(0x1d0ce1ef19cad3ea), envs.EpisodeSeed(0, 0, 0))
	assert.Equal(t, uint64(0xf9ae16eaaff4c602), envs.EpisodeSeed(7, 3, 11))
}

func TestRandIntnStaysInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r envs.Rand
		r.Seed(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		for range 20 {
			if v := r.Intn(n); v < 0 || v >= n {
				t.Fatalf("Intn(%d) = %d", n, v)
			}
		}
	})
	for _, n := range []int{0, -1, math.MinInt} {
		assert.PanicsWithValue(t, "envs: Rand.Intn: n must be positive", func() { new(envs.Rand).Intn(n) })
	}
}

// Each of 7 faces, 16 tenths and 24 orders comes about as often as it should:
// chi-squared, each far beyond its 0.9999 quantile if broken.
func TestRandIsUniform(t *testing.T) {
	var r envs.Rand
	r.Seed(42)
	const n = 70000
	faces, tenths, orders := make([]int, 7), make([]int, 16), map[[4]int]int{}
	for range n {
		faces[r.Intn(7)]++
		f := r.Float64()
		if f < 0 || f >= 1 {
			t.Fatalf("Float64() = %v", f)
		}
		tenths[int(16*f)]++
		o := [4]int{0, 1, 2, 3}
		r.Shuffle(4, func(i, j int) { o[i], o[j] = o[j], o[i] })
		orders[o]++
	}
	var counts []int
	for _, c := range orders {
		counts = append(counts, c)
	}
	slices.Sort(counts) // map order is no part of the sum
	assert.Len(t, counts, 24)
	assert.Less(t, chi2(faces, n), 28.0)   // 6 degrees of freedom
	assert.Less(t, chi2(tenths, n), 45.0)  // 15
	assert.Less(t, chi2(counts, n), 60.0)  // 23
	assert.Greater(t, chi2(faces, n), 0.1) // and not too even
}

func chi2(counts []int, n int) float64 {
	want, sum := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		sum += (float64(c) - want) * (float64(c) - want) / want
	}
	return sum
}

// A large n that is no power of two: without rejection the upper third would
// come half as often.
func TestRandIntnHasNoBias(t *testing.T) {
	var r envs.Rand
	r.Seed(1)
	n, upper := math.MaxInt/2+math.MaxInt/4, 0 // 3·2⁶¹
	const draws = 30000
	for range draws {
		if r.Intn(n) >= n/3*2 {
			upper++
		}
	}
	assert.InDelta(t, draws/3.0, float64(upper), 5*math.Sqrt(draws*2.0/9))
}

func TestEpisodeSeedsAreDistinct(t *testing.T) {
	seen := make(map[uint64][3]int, 125000)
	for session := range 50 {
		for index := range 50 {
			for episode := range 50 {
				seed := envs.EpisodeSeed(uint64(session), index, episode)
				if was, ok := seen[seed]; ok {
					t.Fatalf("%v and %v have the seed %d", was, [3]int{session, index, episode}, seed)
				}
				seen[seed] = [3]int{session, index, episode}
			}
		}
	}
}

// Swapped arguments and sums that agree are different episodes.
func TestEpisodeSeedTellsItsArgumentsApart(t *testing.T) {
	a := envs.EpisodeSeed(1, 2, 3)
	for _, b := range []uint64{envs.EpisodeSeed(1, 3, 2), envs.EpisodeSeed(2, 1, 3), envs.EpisodeSeed(3, 2, 1), envs.EpisodeSeed(0, 3, 3)} {
		assert.NotEqual(t, a, b)
	}
}
