package process

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"marlpit/shaping/modelfile"
)

// ModelOptions say how a scorer is fitted. Zero values take the defaults named.
type ModelOptions struct {
	Critic     string // whose scores, as in TheCritic
	Name       string // of the model
	ObsVersion func(world string) (int, error)
	Epochs     int    // times that all scores are gone through; 0: 5
	Seed       uint64 // of the order they are gone through in
	CreatedBy  string // program and version
}

// heldOutParts is one over the share of goals, or templates, that are held out.
const heldOutParts = 5

// leastRounds is the least number of scored rounds that a model is fitted to.
const leastRounds = 20

// sample is a scored proposal.
type sample struct {
	features []uint64
	score    float64
	round    int // number of the round
	goal     uint64
	template uint64
	right    int8 // 1 right, 0 wrong, −1 unknown
}

// FitModel fits a scorer to a critic's scores in a file, deterministically: to
// all of them. What it holds about held-out goals and templates is of models
// that were fitted without those. It returns an error wrapping ErrModel or
// ErrCritic where the file doesn't hold what is needed.
func FitModel(ctx context.Context, db *DB, opt ModelOptions) (*Model, error) {
	critic, err := db.TheCritic(ctx, opt.Critic)
	if err != nil {
		return nil, err
	}
	m := &Model{Header: Header{Format: ModelFormat, Name: opt.Name, Features: featureVersion, Weights: 1 << weightBits,
		Critic: critic, Seed: opt.Seed, CreatedBy: opt.CreatedBy}}
	samples, err := readSamples(ctx, db, &m.Header)
	if err != nil {
		return nil, err
	}
	if m.Header.Rounds < leastRounds {
		return nil, fmt.Errorf("%w: %d rounds with valid scores of %s: at least %d are needed", ErrModel, m.Header.Rounds, critic, leastRounds)
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("%w: no proposal in these %d rounds could be played: there is nothing to fit to", ErrModel, m.Header.Rounds)
	}
	if err := m.Header.check(); err != nil { // what couldn't be loaded isn't made
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	if opt.ObsVersion != nil {
		if m.Header.ObsVersion, err = opt.ObsVersion(m.Header.World); err != nil {
			return nil, err
		}
	}
	if opt.Epochs == 0 {
		opt.Epochs = 5
	}
	for _, by := range []struct {
		name string
		key  func(*sample) uint64
	}{{"goal", func(s *sample) uint64 { return s.goal }}, {"template", func(s *sample) uint64 { return s.template }}} {
		if h, ok := holdOut(samples, by.key, opt); ok {
			h.By = by.name
			m.Header.HeldOut = append(m.Header.HeldOut, h)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	m.weights = fitWeights(samples, opt)
	return m, nil
}

// readSamples reads the scored proposals of a critic, and counts them.
func readSamples(ctx context.Context, db *DB, h *Header) (out []sample, err error) {
	var r reader
	err = db.Each(ctx, h.Critic, func(s *Scored) error {
		if !s.Answer.Valid() {
			return nil
		}
		if h.Rounds++; h.Rounds == 1 {
			h.World = s.World
		}
		if s.World != h.World {
			return fmt.Errorf("%w: the file holds scores of %.60q and of %.60q: a model is of one world", ErrModel, h.World, s.World)
		}
		r.read(s.Text)
		goal, template := whole(r.goal), r.whole([]byte(`"`+s.Template+`"`))
		for i := range r.proposals {
			if !r.of(i) {
				continue
			}
			x := sample{features: slices.Clone(r.features), score: s.Answer.Scores[i], round: h.Rounds, goal: goal, template: template, right: -1}
			if s.Right != nil {
				x.right = int8(one(s.Right[i])) //nolint:gosec // 0 or 1
			}
			out = append(out, x)
		}
		return nil
	})
	h.Proposals = len(out)
	return out, err
}

// fitWeights is a logistic regression by stochastic gradient with a step for
// each weight (AdaGrad, Duchi and others 2011).
func fitWeights(samples []sample, opt ModelOptions) []float32 {
	const rate, decay = 0.15, 1e-6
	w, squares := make([]float64, 1<<weightBits), make([]float64, 1<<weightBits)
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 1)) //nolint:gosec // no secret
	for range opt.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, k := range order {
			s := &samples[k]
			length := math.Sqrt(float64(len(s.features)))
			z := 0.0
			for _, f := range s.features {
				z += w[f>>(64-weightBits)]
			}
			off := (logistic(z/length) - s.score) / length
			for _, f := range s.features {
				i := f >> (64 - weightBits)
				g := off + decay*w[i]
				squares[i] += g * g
				w[i] -= rate * g / (math.Sqrt(squares[i]) + 1e-8)
			}
		}
	}
	out := make([]float32, len(w))
	for i, v := range w {
		out[i] = float32(max(-modelfile.MaxWeight, min(modelfile.MaxWeight, v)))
	}
	return out
}
