package prefer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"marlpit/shaping"
)

// How members are stopped. Going back to the epoch of the smallest loss puts
// fewer signs right: on two-switch 72, 94.7 and 96.1 % of exact credit from votes
// that are 40 % wrong × 1, 25 % × 3 and 10 % × 10, against 78, 95.5 and 96.9 %
// a while later, when σ has grown too steep but small differences have come out.
// So a member goes on for its patience, and its steepness is put right after.
const (
	leftOut  = 0.2 // share of the training pairs that a member leaves out
	patience = 20  // epochs without a smaller loss on those, after which it stops
)

// MaxMembers is the largest ensemble.
const MaxMembers = 32

// task is the ensemble of one group on one input.
type task struct {
	*group
	in      shaping.Input
	stream  uint64 // of random numbers
	data    *data
	members []member
}

// member is one fit of a group's nets.
type member struct {
	fitted *trainer // where distillation begins
	nets   []net    // (nets,)
	left   []int    // training pairs it left out
	epochs int
	mean   []float64 // (nets,) of σ over the training states
	sd     []float64 // (nets,) of Δσ over the training pairs; 0: flat
}

// plan lists the ensembles to fit: of each group, and each input that is asked for.
func plan(groups []group, opt Options) []*task {
	inputs := []shaping.Input{opt.Input}
	if opt.Input == Auto {
		inputs = []shaping.Input{shaping.State, shaping.Focus}
	}
	var out []*task
	for i := range groups {
		for _, in := range inputs {
			out = append(out, &task{group: &groups[i], in: in, stream: uint64(i), members: make([]member, opt.Members)})
		}
	}
	return out
}

// fit fits member m. What it leaves out is drawn for all inputs alike.
func (t *task) fit(ctx context.Context, m int, opt Options) error {
	tag := t.stream<<16 | uint64(m)<<8
	all := make([]int, len(t.train))
	for i := range all {
		all[i] = i
	}
	left, order := draw(all, leftOut, rand.New(rand.NewPCG(opt.Seed, tag|2)))
	teaches := func(i int) bool { return !t.data.same[i] }
	order = slices.DeleteFunc(order, func(i int) bool { return !teaches(i) })
	stream := tag | 3
	if t.in == shaping.Focus {
		stream++
	}
	rng := rand.New(rand.NewPCG(opt.Seed, stream))
	fit := newTrainer(t.sizes(), rng)
	epochs, err := fit.descend(ctx, t.data, order, left, opt, rng)
	if err != nil {
		return err
	}
	t.members[m] = t.member(fit, left, epochs)
	return nil
}

func (t *task) sizes() []int {
	var out []int
	for _, scale := range t.data.scale {
		out = append(out, len(scale))
	}
	return out
}

// descend runs epochs over the pairs of order until the loss on those of left
// has not been smaller for a while, and scales σ so that it fits those best.
// Where left is empty it runs all epochs. It returns how many it ran.
func (t *trainer) descend(ctx context.Context, d *data, order, left []int, opt Options, rng *rand.Rand) (int, error) {
	best, least, epoch := 0, math.Inf(1), 0
	for epoch < opt.Epochs && (len(left) == 0 || epoch-best < patience) {
		epoch++
		shuffle(rng, order)
		for rest := order; len(rest) > 0; {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			n := min(opt.Batch, len(rest))
			t.step(d, rest[:n], opt.Rate)
			rest = rest[n:]
		}
		if loss := t.loss(d, left); loss < least {
			best, least = epoch, loss
		}
	}
	if len(left) > 0 {
		t.temper(d, left)
	}
	return epoch, nil
}

// loss is the weighted Bradley–Terry loss of pairs.
func (t *trainer) loss(d *data, pairs []int) float64 {
	sum := 0.0
	for _, i := range pairs {
		if !d.same[i] {
			sum += float64(d.weights[i] * crossEntropy(t.delta(d, i), d.c[i]))
		}
	}
	return sum
}

// temper scales σ to the smallest loss on pairs, by a thousandth to ten
// (temperature scaling: Guo and others 2017). The loss is convex in the scale.
func (t *trainer) temper(d *data, pairs []int) {
	deltas := make([]float64, len(pairs))
	flat := true
	for n, i := range pairs {
		deltas[n] = t.delta(d, i)
		flat = flat && deltas[n] == 0
	}
	if flat {
		return
	}
	low, high := 1e-3, 10.0
	for range 30 {
		times, slope := math.Sqrt(low*high), 0.0
		for n, i := range pairs {
			slope += float64(d.weights[i] * deltas[n] * (logistic(times*deltas[n]) - d.c[i]))
		}
		if slope > 0 {
			high = times
		} else {
			low = times
		}
	}
	for k := range t.towers {
		t.towers[k].rescale(0, low)
	}
}

// crossEntropy is the Bradley–Terry loss of Δσ for a vote of confidence c.
func crossEntropy(delta, c float64) float64 {
	return float64(c*softplus(-delta)) + float64((1-c)*softplus(delta))
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func (t *task) member(fit *trainer, left []int, epochs int) member {
	m := member{fitted: fit, left: left, epochs: epochs}
	for k := range fit.towers {
		n := fit.towers[k].net(t.data.scale[k])
		mean, sd := t.moments(&n, k)
		m.nets, m.mean, m.sd = append(m.nets, n), append(m.mean, mean), append(m.sd, sd)
	}
	return m
}

// moments are the mean of σ over the training states and the standard deviation
// of Δσ over the training pairs, 0 where it is flat.
func (t *task) moments(n *net, k int) (mean, sd float64) {
	var sum, d, d2 float64
	count := float64(len(t.train))
	for _, p := range t.train {
		a, b := t.sides(p, k, t.in)
		va, vb := float64(n.value(a)), float64(n.value(b))
		sum += va + vb
		d += vb - va
		d2 += float64((vb - va) * (vb - va))
	}
	d /= count
	if s := math.Sqrt(max(d2/count-float64(d*d), 0)); s >= minSD {
		sd = s
	}
	return sum / (2 * count), sd
}

// tried measures the members on the pairs they left out.
func (t *task) tried() (a Accuracy, loss float64) {
	var s scorer
	for m := range t.members {
		for _, i := range t.members[m].left {
			p := t.train[i]
			cluster := p.Text
			if cluster == 0 {
				cluster = -int64(i) - 1 // several members may have left it out
			}
			s.add(t.delta(t.members[m].nets, p), p.C, cluster)
		}
	}
	return s.accuracy(), s.loss()
}

// delta is Σσ(b) − Σσ(a) of a pair over a group's nets.
func (t *task) delta(nets []net, p *Pair) float64 {
	sum := 0.0
	for k := range nets {
		a, b := t.sides(p, k, t.in)
		sum += float64(nets[k].value(b)) - float64(nets[k].value(a))
	}
	return sum
}
