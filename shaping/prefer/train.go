package prefer

import (
	"context"
	"math"
	"math/rand/v2"

	"marlpit/shaping"
)

// trainer fits one net in float64. Its parameters are one vector: the weights
// (features, Hidden), the biases (Hidden,) and the output weights (Hidden,); an
// output bias cancels in differences.
type trainer struct {
	features   int
	w, g       []float64 // parameters and their gradient
	m, v       []float64 // Adam's moments
	b1t, b2t   float64   // β1^t, β2^t
	rate       float64
	a, b       []sparse // of each pair
	c, weights []float64
}

// sparse is a vector without its zeros.
type sparse struct {
	at []int32
	x  []float64
}

// train fits a net to the pairs.
func train(ctx context.Context, pairs []*Pair, in shaping.Input, opt Options, stream uint64) (net, error) {
	tag := stream<<8 | 2
	if in == shaping.Focus {
		tag++
	}
	rng := rand.New(rand.NewPCG(opt.Seed, tag))
	first, _ := pairs[0].features(in)
	t := newTrainer(len(first), opt.Rate, rng)
	scale := featureScale(pairs, in)
	for _, p := range pairs {
		a, b := p.features(in)
		t.a = append(t.a, thin(a, scale))
		t.b = append(t.b, thin(b, scale))
		t.c = append(t.c, p.C)
		t.weights = append(t.weights, p.weight())
	}
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	for range opt.Epochs {
		shuffle(rng, order)
		for rest := order; len(rest) > 0; {
			if err := ctx.Err(); err != nil {
				return net{}, err
			}
			n := min(opt.Batch, len(rest))
			t.step(rest[:n])
			rest = rest[n:]
		}
	}
	return t.net(scale), nil
}

func newTrainer(features int, rate float64, rng *rand.Rand) *trainer {
	n := features*Hidden + 2*Hidden
	t := &trainer{features: features, rate: rate, b1t: 1, b2t: 1}
	t.w, t.g, t.m, t.v = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	bound := 1 / math.Sqrt(float64(features))
	for i := range t.w[:n-Hidden] {
		t.w[i] = bound * (2*uniform(rng) - 1)
	}
	return t
}

func uniform(rng *rand.Rand) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

// featureScale is the greatest absolute value of each feature, at least 1.
func featureScale(pairs []*Pair, in shaping.Input) []float64 {
	var scale []float64
	for _, p := range pairs {
		a, b := p.features(in)
		if scale == nil {
			scale = make([]float64, len(a))
		}
		for k := range scale {
			scale[k] = max(scale[k], 1, math.Abs(float64(a[k])), math.Abs(float64(b[k])))
		}
	}
	return scale
}

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

// step takes one step of Adam on the mean loss of a batch.
func (t *trainer) step(batch []int) {
	clear(t.g)
	var ha, hb [Hidden]float64
	for _, i := range batch {
		delta := t.forward(&t.b[i], &hb) - t.forward(&t.a[i], &ha)
		slope := t.weights[i] * (logistic(delta) - t.c[i]) / float64(len(batch))
		if slope == 0 {
			continue
		}
		t.backward(&t.b[i], &hb, slope)
		t.backward(&t.a[i], &ha, -slope)
	}
	t.adam()
}

// forward is σ without its constant; h gets the hidden units.
func (t *trainer) forward(s *sparse, h *[Hidden]float64) float64 {
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
	sum := 0.0
	for j := range h {
		h[j] = tanh64(h[j])
		sum += float64(h[j] * out[j])
	}
	return sum
}

// backward adds slope·∂σ/∂w to the gradient.
func (t *trainer) backward(s *sparse, h *[Hidden]float64, slope float64) {
	bias := t.features * Hidden
	out := (*[Hidden]float64)(t.w[bias+Hidden:])
	gOut, gBias := (*[Hidden]float64)(t.g[bias+Hidden:]), (*[Hidden]float64)(t.g[bias:])
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
func (t *trainer) adam() {
	const b1, b2, eps = 0.9, 0.999, 1e-8
	t.b1t *= b1
	t.b2t *= b2
	rate := t.rate / (1 - t.b1t)
	fix := 1 / (1 - t.b2t)
	for i, g := range t.g {
		if g == 0 && t.m[i] == 0 {
			continue // a feature no pair has had yet
		}
		t.m[i] = float64(b1*t.m[i]) + float64((1-b1)*g)
		t.v[i] = float64(b2*t.v[i]) + float64((1-b2)*float64(g*g))
		t.w[i] -= float64(rate*t.m[i]) / (math.Sqrt(t.v[i]*fix) + eps)
	}
}

// net rounds the weights to float32, with the features' scale taken in.
func (t *trainer) net(scale []float64) net {
	n := net{in: make([]float32, t.features*Hidden)}
	for i := range n.in {
		n.in[i] = float32(t.w[i] / scale[i/Hidden])
	}
	bias := t.features * Hidden
	for j := range Hidden {
		n.b[j], n.out[j] = float32(t.w[bias+j]), float32(t.w[bias+Hidden+j])
	}
	return n
}
