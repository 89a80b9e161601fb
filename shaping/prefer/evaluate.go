package prefer

import (
	"math"
	"slices"
)

// scorer compares Δσ with votes; a net that is indifferent doesn't agree.
type scorer struct {
	tally
	ties  int
	pairs int
	sum   float64 // of losses
}

func (s *scorer) add(delta, c float64, text int64) {
	s.sum += crossEntropy(delta, c)
	s.pairs++
	if c == 0.5 {
		s.ties++
		return
	}
	s.tally.add(c > 0.5 && delta > 0 || c < 0.5 && delta < 0, text)
}

func (s *scorer) accuracy() Accuracy {
	share := s.share()
	return Accuracy{Right: share.Count, N: share.N, Ties: s.ties, Low: share.Low, High: share.High}
}

// loss is the mean, 0 without pairs.
func (s *scorer) loss() float64 { return s.sum / max(float64(s.pairs), 1) }

// tally counts what is right, by cluster.
type tally struct {
	clusters []int64
	right    []bool
}

func (t *tally) add(right bool, cluster int64) {
	t.clusters, t.right = append(t.clusters, cluster), append(t.right, right)
}

func (t *tally) share() Share { return NewShare(t.clusters, t.right) }

// NewShare counts what is right, with the interval of Clustered.
func NewShare(clusters []int64, right []bool) Share {
	s := Share{N: len(right)}
	for _, r := range right {
		if r {
			s.Count++
		}
	}
	low, high := Clustered(clusters, right)
	s.Low, s.High = round(low), round(high)
	return s
}

// finish centres the nets of a group and measures them.
func (t *task) finish(nets []net) (heads []Net, reports []NetReport) {
	tested := t.held
	if len(tested) == 0 {
		tested = t.train
	}
	var ensembles []*Ensemble
	for k := range nets {
		mean, sd := t.moments(&nets[k], k)
		nets[k].b2 -= float32(mean)
		heads = append(heads, Net{Input: t.in, Features: len(nets[k].in) / Hidden, Hidden: Hidden, Mean: mean, SD: sd})
		var e *Ensemble
		if len(t.members) > 1 {
			e = t.ensemble(&nets[k], k, tested)
		}
		ensembles = append(ensembles, e)
	}
	r := NetReport{Calibration: t.calibration(nets, tested)}
	for _, p := range slices.Concat(t.train, t.held) {
		if t.same(p, t.in) {
			r.Identical++
		}
	}
	for i := range t.members {
		r.Epochs = append(r.Epochs, t.members[i].epochs)
	}
	var train, held scorer
	for _, p := range t.train {
		train.add(t.delta(nets, p), p.C, p.Text)
	}
	for _, p := range t.held {
		held.add(t.delta(nets, p), p.C, p.Text)
	}
	r.Train, r.Loss = train.accuracy(), round(held.loss())
	for k := range nets {
		heads[k].HeldOut = held.accuracy()
		r.Ensemble = ensembles[k]
		reports = append(reports, r)
	}
	return heads, reports
}

// bins of a reliability table.
const bins = 10

// calibration compares sig(Δσ) with the votes on pairs.
func (t *task) calibration(nets []net, pairs []*Pair) Calibration {
	at, expected, texts := make([]int, len(pairs)), make([]float64, len(pairs)), make([]int64, len(pairs))
	var table [bins]struct{ n, sigma, voted float64 }
	for i, p := range pairs {
		expected[i], texts[i] = 1/(1+math.Exp(-t.delta(nets, p))), p.Text
		at[i] = min(int(expected[i]*bins), bins-1)
		row := &table[at[i]]
		row.n++
		row.sigma += expected[i]
		row.voted += p.C
	}
	var c Calibration
	for k, row := range table {
		if row.n > 0 {
			c.Bins = append(c.Bins, Bin{Low: float64(k) / bins, N: int(row.n), Sigma: round(row.sigma / row.n), Voted: round(row.voted / row.n)})
		}
	}
	of, clusters := numbered(texts)
	c.Error = bootstrap(clusters, func(times []float64) float64 {
		var gap [bins]float64
		n := 0.0
		for i, p := range pairs {
			w := times[of[i]]
			n += w
			gap[at[i]] += float64(w * (expected[i] - p.C))
		}
		sum := 0.0
		for _, g := range gap {
			sum += math.Abs(g)
		}
		return sum / n
	})
	return c
}
