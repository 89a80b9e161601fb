package study

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/envs"
)

func TestLooks(t *testing.T) {
	assert.Equal(t, []int{60}, looks(60))
	assert.Equal(t, []int{100}, looks(100))
	assert.Equal(t, []int{100, 150, 200, 250, 300, 450, 500}, looks(500))
	assert.Equal(t, []int{100, 150, 200, 250, 300, 450, 675, 1012, 1518, 2000}, looks(2000))
	t.Log(lookLevel(looks(500)), lookLevel(looks(4000)))
	assert.InDelta(t, 1.960, lookLevel([]int{100, 1e9}), 0.02, "one look is the usual interval")
	assert.InDelta(t, 2.178, lookLevel([]int{100, 200, 1e9}), 0.02, "two even steps: Pocock's table")
	assert.InDelta(t, 2.413, lookLevel([]int{100, 200, 300, 400, 500, 1e9}), 0.02, "five")
}

func TestPoolInterval(t *testing.T) {
	// Without a correction to speak of it is Wilson's: 75 of 100.
	i := poolInterval(75, 100, 100, 1e9, 1.959964)
	assert.InDelta(t, 0.6569, i.Low, 1e-4)
	assert.InDelta(t, 0.8245, i.High, 1e-4)
	assert.Equal(t, Interval{0, 1}, poolInterval(0, 0, 40, 500, 2))
	assert.Equal(t, Interval{0.75, 0.75}, poolInterval(300, 400, 500, 500, 2), "all were asked")
	half := poolInterval(75, 100, 250, 500, 1.959964)
	assert.Greater(t, half.Low, i.Low, "half of the pool is known")
	assert.True(t, half.within(0.75, 0.07))
	assert.False(t, half.within(0.75, 0.05))
}

// Every beginning of the order holds each kind in its share.
func TestStratifiedOrder(t *testing.T) {
	kinds := make([]string, 400)
	for i := range kinds {
		kinds[i] = []string{"walk", "walk", "walk", "press"}[i%4]
		if i < 12 {
			kinds[i] = "arrive"
		}
	}
	first := map[int]bool{}
	for seed := range uint64(20) {
		order := stratified(kinds, seed)
		seen, count := map[int]bool{}, map[string]int{}
		for n, i := range order {
			seen[i] = true
			count[kinds[i]]++
			share := float64(n+1) / float64(len(kinds))
			assert.InDelta(t, share*97, count["press"], 1.01)
			assert.InDelta(t, share*12, count["arrive"], 1.01)
		}
		assert.Len(t, seen, 400)
		first[order[0]] = true
		assert.Equal(t, order, stratified(kinds, seed))
	}
	assert.Greater(t, len(first), 10)
}

// The interval that judging stops by holds the accuracy on the whole pool at
// least 95 times of 100, whatever the accuracy is and at whichever look it
// stopped; and five points cost about 300 questions of a pool of 500.
func TestCoverageOfSequentialJudging(t *testing.T) {
	const pool, runs, even = 500, 2000, 0.1
	schedule := looks(pool)
	z := lookLevel(schedule)
	var rng envs.Rand
	rng.Seed(11)
	for _, accuracy := range []float64{0.5, 0.6, 0.75, 0.9, 0.97, 1} {
		held, asked, most := 0, 0, 0
		for range runs {
			// A pool: questions without credit, right and wrong ones; families differ.
			kinds, right, counts := make([]string, pool), make([]bool, pool), make([]bool, pool)
			truth, decided := 0, 0
			for i := range pool {
				family := i % 5
				kinds[i] = fmt.Sprint(family)
				counts[i] = rng.Float64() >= even
				p := min(1, max(0, accuracy+(float64(family)-2)/10*math.Min(1, 5*(1-accuracy))))
				right[i] = rng.Float64() < p
				if counts[i] {
					decided++
					if right[i] {
						truth++
					}
				}
			}
			want := float64(truth) / float64(decided)
			r, d, n := 0, 0, 0
			var got Interval
			order := stratified(kinds, rng.Uint64())
			for _, look := range schedule {
				for ; n < look; n++ {
					if counts[order[n]] {
						d++
						if right[order[n]] {
							r++
						}
					}
				}
				got = poolInterval(r, d, n, pool, z)
				if got.within(float64(r)/float64(d), 0.05) {
					break
				}
			}
			if got.Low-1e-9 <= want && want <= got.High+1e-9 {
				held++
			}
			asked, most = asked+n, max(most, n)
		}
		t.Logf("accuracy %.2f: held %.3f, %d questions on average, at most %d", accuracy, float64(held)/runs, asked/runs, most)
		assert.GreaterOrEqual(t, float64(held)/runs, 0.95, "accuracy %v", accuracy)
		assert.LessOrEqual(t, most, pool)
		assert.LessOrEqual(t, asked/runs, 320)
	}
}
