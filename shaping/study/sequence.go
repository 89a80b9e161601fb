package study

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"marlpit/envs"
)

// A critic is asked in an order drawn in advance, and judging looks at fixed
// numbers of questions whether enough is known. Two things keep that honest:
// every beginning of the order holds each kind of question in its share, so that
// stopping early favours none; and the interval it stops by is wide enough for
// all looks that could be taken. So at least 95 of 100 judgements hold the
// truth, whichever look they ended at (a test simulates it).

// firstLook, lookEvery and manyLooks say after how many questions is looked:
// from firstLook every lookEvery up to manyLooks, then at each half
// as many more, and when all are asked.
const (
	firstLook = 100
	lookEvery = 50
	manyLooks = 300
)

// looks lists the numbers of questions after which is looked, of n.
func looks(n int) []int {
	var out []int
	for at := firstLook; at < n; {
		out = append(out, at)
		if at < manyLooks {
			at += lookEvery
		} else {
			at += at / 2
		}
	}
	return append(out, n)
}

// lookLevel is the number of standard deviations of an interval that holds the
// truth at all looks of a schedule together 95 times of 100 (Pocock 1977): the
// quantile of the largest deviation over the looks, of 40,000 random walks
// whose steps are what each look adds to the information. The last look needs
// no interval.
func lookLevel(schedule []int) float64 {
	const walks = 40000
	all := float64(schedule[len(schedule)-1])
	rng := rand.New(rand.NewPCG(95, 1977))
	largest := make([]float64, walks)
	for i := range largest {
		at, walk := 0.0, 0.0
		for _, n := range schedule[:len(schedule)-1] {
			information := float64(n) / (1 - float64(n)/all)
			walk += math.Sqrt(information-at) * rng.NormFloat64()
			at = information
			largest[i] = max(largest[i], math.Abs(walk)/math.Sqrt(at))
		}
	}
	slices.Sort(largest)
	return largest[walks*95/100]
}

// Interval is a 95 % interval of a share.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// within says whether the interval lies within d of a share.
func (i Interval) within(share, d float64) bool { return share-i.Low <= d && i.High-share <= d }

// String is "72–83 %".
func (i Interval) String() string { return fmt.Sprintf("%.0f–%.0f %%", 100*i.Low, 100*i.High) }

// poolInterval is that of the share of right among decided answers of the whole
// pool, where asked of its questions were drawn without replacement: Wilson's
// score interval with the finite population correction. Once all are asked
// there is nothing left to estimate.
func poolInterval(right, decided, asked, pool int, z float64) Interval {
	if decided == 0 {
		return Interval{0, 1}
	}
	p, n := float64(right)/float64(decided), float64(decided)
	left := float64(pool-asked) / float64(max(pool-1, 1))
	if left <= 0 {
		return Interval{p, p}
	}
	n /= left
	mid, half, scale := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n)), 1+z*z/n
	return Interval{min((mid-half)/scale, p), max((mid+half)/scale, p)} // rounding at 0 and 1
}

// stratified draws an order of things that have kinds: each kind's are shuffled
// and spread evenly over the whole.
func stratified(kinds []string, seed uint64) []int {
	byKind := map[string][]int{}
	for i, k := range kinds {
		byKind[k] = append(byKind[k], i)
	}
	names := make([]string, 0, len(byKind))
	for k := range byKind {
		names = append(names, k)
	}
	slices.Sort(names)
	var rng envs.Rand
	rng.Seed(seed)
	at := make([]float64, len(kinds))
	for _, k := range names {
		of := byKind[k]
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		offset := rng.Float64()
		for j, i := range of {
			at[i] = (float64(j) + offset) / float64(len(of))
		}
	}
	order := make([]int, len(kinds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return order
}
