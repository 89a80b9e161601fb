package prefer

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson is the 95 % score interval of a share of right out of n (Wilson 1927);
// 0 to 1 for n = 0.
func Wilson(right, n int) (low, high float64) {
	return score(float64(right)/float64(n), float64(n), z95)
}

const z95 = 1.959963984540054

// score is Wilson's interval of a share p of n at z standard deviations.
func score(p, n, z float64) (low, high float64) {
	if !(n > 0) || math.IsInf(z, 0) {
		return 0, 1
	}
	mid := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return max((mid-half)/scale, 0), min((mid+half)/scale, 1)
}

// Clustered is the 95 % interval of the share of right, where those of equal
// cluster aren't independent; cluster 0 stands for one of its own. It is
// Wilson's at the effective sample size, n over the design effect, which is the
// variance between clusters to that of independent draws, at least 1; with t
// of clusters − 1 degrees of freedom for z (as Korn and Graubard 1998 do for
// Clopper's). Where all or none are right, the effective size is (Σn)²/Σn².
func Clustered(cluster []int64, right []bool) (low, high float64) {
	type tally struct{ right, n float64 }
	of, n := numbered(cluster)
	order, all := make([]tally, n), tally{}
	for i, k := range of {
		order[k].n++
		all.n++
		if right[i] {
			order[k].right++
			all.right++
		}
	}
	k := float64(len(order))
	if k == all.n {
		return Wilson(int(all.right), int(all.n))
	}
	if k == 1 {
		return 0, 1
	}
	p := all.right / all.n
	var between, square float64
	for _, t := range order {
		e := t.right - p*t.n
		between += e * e
		square += t.n * t.n
	}
	size := all.n * all.n / square
	if p > 0 && p < 1 {
		effect := between * k / (k - 1) / (all.n * p * (1 - p))
		size = all.n / max(effect, 1)
	}
	return score(p, size, distuv.StudentsT{Sigma: 1, Nu: k - 1}.Quantile(0.975))
}

// bootstrap gives the value of a statistic with the percentiles 2.5 and 97.5 of
// what it is when clusters are drawn with replacement, from a fixed seed. times
// says how often each was drawn. Draws in which it isn't a number are left out.
func bootstrap(clusters int, statistic func(times []float64) float64) Estimate {
	const draws = 400
	times := ones(clusters)
	value := statistic(times)
	rng := rand.New(rand.NewPCG(1, 95))
	var got []float64
	for range draws {
		clear(times)
		for range clusters {
			times[rng.Uint64()%uint64(clusters)]++
		}
		if v := statistic(times); !math.IsNaN(v) {
			got = append(got, v)
		}
	}
	if len(got) == 0 {
		return Estimate{round(value), round(value), round(value)}
	}
	slices.Sort(got)
	at := func(q float64) float64 { return round(got[int(q*float64(len(got)-1)+0.5)]) }
	return Estimate{round(value), at(0.025), at(0.975)}
}

// numbered numbers clusters from 0 in order of appearance; each cluster 0 is one
// of its own.
func numbered(cluster []int64) (of []int, n int) {
	at := map[int64]int{}
	for _, c := range cluster {
		k, ok := at[c]
		if !ok || c == 0 {
			k = n
			n++
			if c != 0 {
				at[c] = k
			}
		}
		of = append(of, k)
	}
	return of, n
}
