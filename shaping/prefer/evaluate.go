package prefer

import (
	"context"
	"math"

	"marlpit/shaping"
)

// choose fits a net on each input that is asked for and keeps the one that does
// better on the held-out pairs: by accuracy, then by loss, then the state.
func choose(ctx context.Context, s set, opt Options, stream uint64) (net, NetReport, error) {
	inputs := []shaping.Input{opt.Input}
	if opt.Input == Auto {
		inputs = []shaping.Input{shaping.State, shaping.Focus}
	}
	var best net
	var report NetReport
	tried := map[shaping.Input]Accuracy{}
	for k, in := range inputs {
		n, err := train(ctx, s.train, in, opt, stream)
		if err != nil {
			return best, report, err
		}
		r := finish(&n, s, in)
		tried[in] = r.HeldOut
		if k == 0 || better(r, report) {
			best, report = n, r
		}
	}
	report.Tried = tried
	return best, report, nil
}

func better(a, b NetReport) bool {
	if a.HeldOut.Right != b.HeldOut.Right { // of the same pairs
		return a.HeldOut.Right > b.HeldOut.Right
	}
	return a.Loss < b.Loss
}

// finish centres a net over its training states and measures it.
func finish(n *net, s set, in shaping.Input) NetReport {
	var sum, d, d2 float64
	count := float64(len(s.train))
	for _, p := range s.train {
		a, b := p.features(in)
		sum += float64(n.value(a)) + float64(n.value(b))
	}
	mean := sum / (2 * count)
	n.b2 -= float32(mean)
	for _, p := range s.train {
		delta := n.delta(p, in)
		d += delta
		d2 += float64(delta * delta)
	}
	d /= count
	r := NetReport{Net: Net{Input: in, Features: len(n.in) / Hidden, Hidden: Hidden, Mean: mean}}
	if sd := math.Sqrt(max(d2/count-float64(d*d), 0)); sd >= minSD {
		r.SD = sd
	}
	r.Train, _ = n.measure(s.train, in)
	r.HeldOut, r.Loss = n.measure(s.held, in)
	return r
}

// delta is σ(b) − σ(a).
func (n *net) delta(p *Pair, in shaping.Input) float64 {
	a, b := p.features(in)
	return float64(n.value(b)) - float64(n.value(a))
}

// measure counts the votes a net agrees with; a net that is indifferent doesn't.
func (n *net) measure(pairs []*Pair, in shaping.Input) (a Accuracy, loss float64) {
	for _, p := range pairs {
		delta := n.delta(p, in)
		loss += float64(p.C*softplus(-delta)) + float64((1-p.C)*softplus(delta))
		switch {
		case p.C == 0.5:
			a.Ties++
			continue
		case p.C > 0.5 && delta > 0, p.C < 0.5 && delta < 0:
			a.Right++
		}
		a.N++
	}
	if len(pairs) > 0 {
		loss /= float64(len(pairs))
	}
	a.Low, a.High = Wilson(a.Right, a.N)
	return a, loss
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// Wilson is the 95 % score interval of a share of right out of n (Wilson 1927);
// 0 to 1 for n = 0.
func Wilson(right, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	m := float64(n)
	p := float64(right) / m
	mid := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return max((mid-half)/scale, 0), min((mid+half)/scale, 1)
}
