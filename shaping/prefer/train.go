package prefer

import (
	"math"
	"math/rand/v2"
)

// tower is one net while it is fitted, in float64. Its parameters are one
// vector: the weights (features, Hidden), the biases (Hidden,), the output
// weights (Hidden,) and the output bias.
type tower struct {
	features int
	w, g     []float64 // parameters and their gradient
	m, v     []float64 // Adam's moments
}

// trainer fits nets whose Δσ add up to what the votes are on: one for an
// agent's votes, one for each agent where the team's are explained.
type trainer struct {
	towers   []tower
	b1t, b2t float64           // β1^t, β2^t
	ha, hb   [][Hidden]float64 // (towers,)
}

// sparse is a vector without its zeros.
type sparse struct {
	at []int32
	x  []float64
}

// newTrainer draws weights; those of the output are zero, so that σ begins flat.
func newTrainer(sizes []int, rng *rand.Rand) *trainer {
	t := &trainer{b1t: 1, b2t: 1, ha: make([][Hidden]float64, len(sizes)), hb: make([][Hidden]float64, len(sizes))}
	for _, features := range sizes {
		w := newTower(features)
		bound := 1 / math.Sqrt(float64(features))
		for i := range w.w[:len(w.w)-Hidden-1] {
			w.w[i] = bound * (2*uniform(rng) - 1)
		}
		t.towers = append(t.towers, w)
	}
	return t
}

func newTower(features int) tower {
	n := weightCount(features)
	all := make([]float64, 4*n)
	return tower{features: features, w: all[:n], g: all[n : 2*n], m: all[2*n : 3*n], v: all[3*n:]}
}

func uniform(rng *rand.Rand) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

func thin(x []float32, scale []float64) sparse {
	var s sparse
	for k, v := range x {
		if v != 0 {
			s.at = append(s.at, int32(k))
			s.x = append(s.x, float64(v)/scale[k])
		}
	}
	return s
}

// delta is Σσ(b) − Σσ(a) of a pair over the towers; it fills ha and hb.
func (t *trainer) delta(d *data, i int) float64 {
	sum := 0.0
	for k := range t.towers {
		sum += t.towers[k].forward(&d.b[k][i], &t.hb[k]) - t.towers[k].forward(&d.a[k][i], &t.ha[k])
	}
	return sum
}

// step takes one step of Adam on the mean Bradley–Terry loss of a batch.
func (t *trainer) step(d *data, batch []int, rate float64) {
	for k := range t.towers {
		clear(t.towers[k].g)
	}
	for _, i := range batch {
		slope := d.weights[i] * (logistic(t.delta(d, i)) - d.c[i]) / float64(len(batch))
		if slope == 0 {
			continue
		}
		for k := range t.towers {
			t.towers[k].backward(&d.b[k][i], &t.hb[k], slope)
			t.towers[k].backward(&d.a[k][i], &t.ha[k], -slope)
		}
	}
	t.adam(rate)
}

// regress takes one step of Adam on the squared errors of σ against targets
// (pairs,) at both sides, and of their difference, which is what rewards are
// made of; of the first tower.
func (t *trainer) regress(d *data, batch []int, ta, tb []float64, rate float64) {
	w := &t.towers[0]
	clear(w.g)
	for _, i := range batch {
		eb := w.forward(&d.b[0][i], &t.hb[0]) - tb[i]
		ea := w.forward(&d.a[0][i], &t.ha[0]) - ta[i]
		diff := float64(differenceWeight * (eb - ea))
		w.backward(&d.b[0][i], &t.hb[0], (eb+diff)/float64(len(batch)))
		w.backward(&d.a[0][i], &t.ha[0], (ea-diff)/float64(len(batch)))
	}
	t.adam(rate)
}

// forward is σ; h gets the hidden units.
func (t *tower) forward(s *sparse, h *[Hidden]float64) float64 {
	bias := t.features * Hidden
	copy(h[:], t.w[bias:])
	for n, k := range s.at {
		x := s.x[n]
		row := (*[Hidden]float64)(t.w[int(k)*Hidden:])
		for j := range h {
			h[j] += float64(x * row[j])
		}
	}
	out := (*[Hidden]float64)(t.w[bias+Hidden:])
	sum := t.w[bias+2*Hidden]
	for j := range h {
		h[j] = tanh64(h[j])
		sum += float64(h[j] * out[j])
	}
	return sum
}

// backward adds slope·∂σ/∂w to the gradient.
func (t *tower) backward(s *sparse, h *[Hidden]float64, slope float64) {
	bias := t.features * Hidden
	out := (*[Hidden]float64)(t.w[bias+Hidden:])
	gOut, gBias := (*[Hidden]float64)(t.g[bias+Hidden:]), (*[Hidden]float64)(t.g[bias:])
	t.g[bias+2*Hidden] += slope
	var gh [Hidden]float64
	for j := range h {
		gOut[j] += float64(slope * h[j])
		gh[j] = slope * out[j] * (1 - float64(h[j]*h[j]))
		gBias[j] += gh[j]
	}
	for n, k := range s.at {
		x := s.x[n]
		row := (*[Hidden]float64)(t.g[int(k)*Hidden:])
		for j := range gh {
			row[j] += float64(x * gh[j])
		}
	}
}

// adam is the update of Kingma and Ba (2015), β = 0.9 and 0.999, ε = 1e-8.
func (t *trainer) adam(rate float64) {
	const b1, b2, eps = 0.9, 0.999, 1e-8
	t.b1t *= b1
	t.b2t *= b2
	rate /= 1 - t.b1t
	fix := 1 / (1 - t.b2t)
	for k := range t.towers {
		w := &t.towers[k]
		for i, g := range w.g {
			if g == 0 && w.m[i] == 0 {
				continue // a feature no pair has had yet
			}
			w.m[i] = float64(b1*w.m[i]) + float64((1-b1)*g)
			w.v[i] = float64(b2*w.v[i]) + float64((1-b2)*float64(g*g))
			w.w[i] -= float64(rate*w.m[i]) / (math.Sqrt(w.v[i]*fix) + eps)
		}
	}
}

// net rounds the weights to float32, with the features' scale taken in.
func (t *tower) net(scale []float64) net {
	n := net{in: make([]float32, t.features*Hidden)}
	for i := range n.in {
		n.in[i] = float32(t.w[i] / scale[i/Hidden])
	}
	bias := t.features * Hidden
	for j := range Hidden {
		n.b[j], n.out[j] = float32(t.w[bias+j]), float32(t.w[bias+Hidden+j])
	}
	n.b2 = float32(t.w[bias+2*Hidden])
	return n
}
