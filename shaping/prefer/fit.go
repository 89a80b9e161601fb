package prefer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"marlpit/shaping"
)

// Auto lets Fit choose each agent's input by its held-out pairs.
const Auto shaping.Input = "auto"

// Pair is the vote on one transition a → b of one agent.
type Pair struct {
	Agent          int       // ignored by the kind Shared
	StateA, StateB []float32 // (state,)
	FocusA, FocusB []float32 // (focus,); nil where the world has none
	C              float64   // confidence that b ≻ a, in [0,1]; 0.5 is a tie
	Weight         float64   // of the pair; 0 counts as 1
	Held           bool      // kept for testing; where no pair is, Fit draws them
}

// Options of Fit. Zero values take the defaults.
type Options struct {
	Kind    Kind          // default Agents
	Input   shaping.Input // Auto (default), State or Focus; a shared model reads the state
	Seed    uint64        // of the initial weights, the order of pairs and the held-out draw
	Epochs  int           // default 30, at most 10,000
	Batch   int           // pairs a step of Adam, default 32
	Rate    float64       // Adam's, default 0.01
	HeldOut float64       // share of each agent's pairs kept for testing, default 0.15, at most 0.5

	Header Header // provenance to keep: Name, Pairs (default their number), Frames, Seeds, Critic, Prompt, Votes, CreatedBy
}

// Report says how the fitting went, one element for each net.
type Report struct {
	Nets []NetReport `json:"nets"`
}

// NetReport is the part of one net.
type NetReport struct {
	Net
	Train Accuracy                   `json:"train"` // on the pairs it was fitted to
	Loss  float64                    `json:"loss"`  // mean held-out Bradley–Terry loss, ties included; NaN-free: 0 without pairs
	Tried map[shaping.Input]Accuracy `json:"tried"` // held-out accuracy of each input that was fitted
}

// Fit fits a model to votes: for each net it minimises
//
//	−Σ w·[c·log sig(σ(b) − σ(a)) + (1−c)·log sig(σ(a) − σ(b))]
//
// with Adam over shuffled minibatches, measures it on the held-out pairs, and
// centres σ to mean zero over the training states. Output weights begin at
// zero, so that votes which are all ties leave σ exactly flat (SD 0). Equal
// arguments give equal bytes. It returns an error wrapping ErrPairs for bad
// input, among it an agent without pairs, and ctx's when that is done.
func Fit(ctx context.Context, w World, pairs []Pair, opt Options) (*Model, Report, error) {
	opt, err := opt.complete(w)
	if err != nil {
		return nil, Report{}, err
	}
	sets, err := split(w, pairs, opt)
	if err != nil {
		return nil, Report{}, err
	}
	m, report := &Model{Header: opt.Header}, Report{}
	h := &m.Header
	h.Format, h.Version, h.Kind, h.World, h.Nets = Format, 1, opt.Kind, w, nil
	if h.Pairs == 0 {
		h.Pairs = len(pairs)
	}
	for i, set := range sets {
		n, r, err := choose(ctx, set, opt, uint64(i))
		if err != nil {
			return nil, Report{}, err
		}
		if opt.Kind != Shared {
			r.Agent = w.Agents[i]
		}
		if !n.bounded() {
			return nil, Report{}, fmt.Errorf("%w: the weights of net %d grew beyond %v: lower the rate or the epochs", ErrPairs, i, maxWeight)
		}
		m.nets = append(m.nets, n)
		h.Nets = append(h.Nets, r.Net)
		report.Nets = append(report.Nets, r)
	}
	if err := h.check(); err != nil {
		return nil, Report{}, fmt.Errorf("%w: %w", ErrPairs, err)
	}
	return m, report, nil
}

func (o Options) complete(w World) (Options, error) {
	if err := w.check(); err != nil {
		return o, fmt.Errorf("%w: %w", ErrPairs, err)
	}
	if o.Kind == "" {
		o.Kind = Agents
	}
	if o.Input == "" {
		o.Input = Auto
	}
	if o.Input == Auto && (o.Kind == Shared || len(w.FocusSizes) == 0) {
		o.Input = shaping.State
	}
	if o.Epochs == 0 {
		o.Epochs = 30
	}
	if o.Batch == 0 {
		o.Batch = 32
	}
	if o.Rate == 0 {
		o.Rate = 0.01
	}
	if o.HeldOut == 0 {
		o.HeldOut = 0.15
	}
	switch {
	case !o.Kind.valid():
		return o, fmt.Errorf("%w: kind %q, want agents, shared or coin", ErrPairs, o.Kind)
	case o.Input != Auto && o.Input != shaping.State && o.Input != shaping.Focus:
		return o, fmt.Errorf("%w: input %q, want auto, state or focus", ErrPairs, o.Input)
	case o.Input == shaping.Focus && o.Kind == Shared:
		return o, fmt.Errorf("%w: a shared model reads the state", ErrPairs)
	case o.Input == shaping.Focus && len(w.FocusSizes) == 0:
		return o, fmt.Errorf("%w: %s has no focus features", ErrPairs, w.Env)
	case o.Epochs < 1 || o.Epochs > 10_000 || o.Batch < 1:
		return o, fmt.Errorf("%w: %d epochs of batches of %d, want 1 to 10000 and at least 1", ErrPairs, o.Epochs, o.Batch)
	case !(o.Rate > 0 && o.Rate <= 1):
		return o, fmt.Errorf("%w: rate %v, want above 0 and at most 1", ErrPairs, o.Rate)
	case !(o.HeldOut > 0 && o.HeldOut <= 0.5):
		return o, fmt.Errorf("%w: held-out share %v, want above 0 and at most 0.5", ErrPairs, o.HeldOut)
	}
	return o, nil
}

// set is the pairs of one net.
type set struct {
	train, held []*Pair
}

// split checks the pairs and sorts them by net; where none is marked as held,
// it draws some of each net's.
func split(w World, pairs []Pair, opt Options) ([]set, error) {
	sets := make([]set, opt.Kind.nets(len(w.Agents)))
	marked := false
	for k := range pairs {
		if err := pairs[k].check(w, opt); err != nil {
			return nil, fmt.Errorf("%w: pair %d: %w", ErrPairs, k, err)
		}
		marked = marked || pairs[k].Held
	}
	for k := range pairs {
		p, at := &pairs[k], 0
		if opt.Kind != Shared {
			at = p.Agent
		}
		if p.Held {
			sets[at].held = append(sets[at].held, p)
		} else {
			sets[at].train = append(sets[at].train, p)
		}
	}
	for i := range sets {
		s := &sets[i]
		if !marked {
			rng := rand.New(rand.NewPCG(opt.Seed, uint64(i)<<8|1))
			shuffle(rng, s.train)
			n := int(opt.HeldOut * float64(len(s.train)))
			s.held, s.train = s.train[:n], s.train[n:]
		}
		if len(s.train) == 0 {
			if opt.Kind == Shared {
				return nil, fmt.Errorf("%w: no pairs to fit to", ErrPairs)
			}
			return nil, fmt.Errorf("%w: no pairs to fit to for %s", ErrPairs, w.Agents[i])
		}
	}
	return sets, nil
}

func (p *Pair) check(w World, opt Options) error {
	switch {
	case opt.Kind != Shared && (p.Agent < 0 || p.Agent >= len(w.Agents)):
		return fmt.Errorf("agent %d, want 0 to %d", p.Agent, len(w.Agents)-1)
	case !(p.C >= 0 && p.C <= 1):
		return fmt.Errorf("confidence %v, want 0 to 1", p.C)
	case !(p.Weight >= 0 && p.Weight <= 1e6):
		return fmt.Errorf("weight %v, want 0 to 1e6", p.Weight)
	case len(p.StateA) != w.StateSize || len(p.StateB) != w.StateSize:
		return fmt.Errorf("states of %d and %d elements, want %d", len(p.StateA), len(p.StateB), w.StateSize)
	}
	all := [][]float32{p.StateA, p.StateB}
	if opt.Input != shaping.State {
		if n := w.FocusSizes[p.Agent]; len(p.FocusA) != n || len(p.FocusB) != n {
			return fmt.Errorf("%d and %d focus features, want %d", len(p.FocusA), len(p.FocusB), n)
		}
		all = append(all, p.FocusA, p.FocusB)
	}
	for _, x := range all {
		for _, v := range x {
			if !(math.Abs(float64(v)) <= 1e6) {
				return fmt.Errorf("a feature is %v, want -1e6 to 1e6", v)
			}
		}
	}
	return nil
}

func (p *Pair) features(in shaping.Input) (a, b []float32) {
	if in == shaping.Focus {
		return p.FocusA, p.FocusB
	}
	return p.StateA, p.StateB
}

func (p *Pair) weight() float64 {
	if p.Weight == 0 {
		return 1
	}
	return p.Weight
}

func shuffle[T any](rng *rand.Rand, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := int(rng.Uint64() % uint64(i+1)) // the bias is below 2⁻⁴⁰; the stream is ours to fix
		s[i], s[j] = s[j], s[i]
	}
}
