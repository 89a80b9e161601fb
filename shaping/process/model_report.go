package process

import (
	"math"
	"slices"

	"marlpit/shaping/prefer"
)

// HeldOut says how scorers do on scores they weren't fitted to.
type HeldOut struct {
	By          string  `json:"by"` // goal or template: what none of the held-out rounds shares with those of the fit
	Rounds      int     `json:"rounds"`
	Proposals   int     `json:"proposals"`
	Error       float64 `json:"error"`          // mean squared difference to the critic's scores
	Constant    float64 `json:"constant_error"` // the same of the mean score of the fit: what has to be beaten
	Calibration float64 `json:"calibration"`    // mean distance of the mean score of a tenth of the proposals to the critic's, alike scores together
	Known       *Known  `json:"known,omitempty"`
}

// Known is the agreement with the tasks' own solutions, where it is known what
// is right: more than ½ says right. Intervals are of 95 %, with a round's
// proposals as one cluster.
type Known struct {
	Proposals int   `json:"proposals"`
	Right     Share `json:"on_right"` // of the right ones: those that are said to be
	Wrong     Share `json:"on_wrong"`
}

// Share is a part of a whole with its interval.
type Share struct {
	Part int     `json:"part"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Rate is the share as a number; NaN of nothing.
func (s Share) Rate() float64 { return float64(s.Part) / float64(s.Of) }

// holdOut fits without a fifth of the keys, and measures on it; false where
// there are fewer keys than that.
func holdOut(samples []sample, key func(*sample) uint64, opt ModelOptions) (h HeldOut, ok bool) {
	var keys []uint64
	for i := range samples {
		keys = append(keys, key(&samples[i]))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) < heldOutParts {
		return h, false
	}
	out := map[uint64]bool{}
	for i := 0; i < len(keys); i += heldOutParts { // keys are hashes: their order is none
		out[keys[i]] = true
	}
	var fit, rest []sample
	mean := 0.0
	for i := range samples {
		if s := samples[i]; out[key(&s)] {
			rest = append(rest, s)
		} else {
			fit = append(fit, s)
			mean += s.score
		}
	}
	m := Model{weights: fitWeights(fit, opt)}
	return measure(&m, rest, mean/float64(len(fit))), true
}

// measure compares a model with scores that it wasn't fitted to.
func measure(m *Model, samples []sample, constant float64) HeldOut {
	h := HeldOut{Proposals: len(samples)}
	said := make([]float64, len(samples))
	rounds := map[int]bool{}
	var cluster [2][]int64
	var agree [2][]bool
	for i := range samples {
		s := &samples[i]
		said[i] = m.score(s.features)
		rounds[s.round] = true
		h.Error += (said[i] - s.score) * (said[i] - s.score)
		h.Constant += (constant - s.score) * (constant - s.score)
		if s.right >= 0 {
			cluster[s.right] = append(cluster[s.right], int64(s.round))
			agree[s.right] = append(agree[s.right], (said[i] > 0.5) == (s.right == 1))
		}
	}
	n := float64(len(samples))
	h.Rounds, h.Error, h.Constant = len(rounds), h.Error/n, h.Constant/n
	h.Calibration = calibration(samples, said)
	if known := len(agree[0]) + len(agree[1]); known > 0 {
		h.Known = &Known{known, shareOf(cluster[1], agree[1]), shareOf(cluster[0], agree[0])}
	}
	return h
}

// calibration is the expected calibration error over ten groups of equal size.
func calibration(samples []sample, said []float64) float64 {
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case said[a] < said[b]:
			return -1
		case said[a] > said[b]:
			return 1
		}
		return 0
	})
	off := 0.0
	for k := range 10 {
		group := 0.0
		for _, i := range order[k*len(order)/10 : (k+1)*len(order)/10] {
			group += said[i] - samples[i].score
		}
		off += math.Abs(group)
	}
	return off / float64(len(samples))
}

func shareOf(cluster []int64, agree []bool) Share {
	s := Share{Of: len(agree), High: 1}
	for _, a := range agree {
		s.Part += int(one(a)) //nolint:gosec // 0 or 1
	}
	if s.Of > 0 {
		s.Low, s.High = prefer.Clustered(cluster, agree)
	}
	return s
}
