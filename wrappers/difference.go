package wrappers

import "marlpit/envs"

// difference gives each agent v(joint action) − v(the same with the agent's
// action replaced by the baseline): the difference reward of Wolpert and Tumer.
// It costs players + 1 copies.
func difference(r *replay, a envs.Actions, credit []float64) {
	if len(r.players) == 0 {
		return
	}
	r.put(r.act, a, -1)
	all := r.value()
	for _, i := range r.players {
		r.put(r.act, r.baseline, i)
		credit[i] = all - r.value()
		r.put(r.act, a, i)
	}
}
