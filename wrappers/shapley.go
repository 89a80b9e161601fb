package wrappers

import (
	"math/bits"

	"marlpit/envs"
)

// exactPlayers is the most players whose coalitions are enumerated.
const exactPlayers = 6

// shapley gives each agent its Shapley value in the game of the step's
// coalitions: v of a coalition is the value of the joint action in which its
// members do what they did and all others the baseline. One that does as the
// baseline is a null player: it gets 0 and is left out of the game.
func shapley(r *replay, a envs.Actions, credit []float64) {
	switch n := len(r.players); {
	case n == 0:
	case n <= exactPlayers:
		shapleyExact(r, a, credit)
	default:
		shapleySampled(r, a, credit)
	}
}

// shapleyExact costs 2^players copies.
func shapleyExact(r *replay, a envs.Actions, credit []float64) {
	n := len(r.players)
	var v [1 << exactPlayers]float64
	for s := range 1 << n {
		r.put(r.act, r.baseline, -1)
		for k, i := range r.players {
			if s>>k&1 == 1 {
				r.put(r.act, a, i)
			}
		}
		v[s] = r.value()
	}
	// The share of orders in which exactly the members of s come before a player
	// is |s|!·(n−|s|−1)!/n!.
	var weight [exactPlayers]float64
	weight[0] = 1 / float64(n)
	for k := 1; k < n; k++ {
		weight[k] = weight[k-1] * float64(k) / float64(n-k)
	}
	for k, i := range r.players {
		for s := range 1 << n {
			if s>>k&1 == 0 {
				credit[i] += weight[bits.OnesCount(uint(s))] * (v[s|1<<k] - v[s])
			}
		}
	}
}

// shapleySampled is the mean marginal contribution over orders of the players,
// every second one the reverse of the one before it (antithetic: what is early
// in one is late in the other). It costs samples·(players − 1) + 2 copies, and
// the credits sum to v(all) − v(none) for any orders.
func shapleySampled(r *replay, a envs.Actions, credit []float64) {
	r.put(r.act, a, -1)
	all := r.value()
	r.put(r.act, r.baseline, -1)
	none := r.value()
	r.order = append(r.order[:0], r.players...)
	var draw envs.Rand
	draw.Seed(^r.seed) // not the stream of the roll-outs
	n := len(r.order)
	for k := range r.Samples {
		if k%2 == 0 {
			for i := n - 1; i > 0; i-- {
				j := draw.Intn(i + 1)
				r.order[i], r.order[j] = r.order[j], r.order[i]
			}
		}
		r.put(r.act, r.baseline, -1)
		before := none
		for at := range n {
			i := r.order[at]
			if k%2 == 1 {
				i = r.order[n-1-at]
			}
			after := all
			if at < n-1 {
				r.put(r.act, a, i)
				after = r.value()
			}
			credit[i] += after - before
			before = after
		}
	}
	for _, i := range r.players {
		credit[i] /= float64(r.Samples)
	}
}
