package shaping

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrTruth is returned by a simulated critic for a question whose exact credit
// is unknown: the world has no solver, or is too large for it.
var ErrTruth = errors.New("shaping: exact credit unknown")

// ErrOptions is returned when a critic's options are out of range.
var ErrOptions = errors.New("shaping: bad critic options")

// Noise says what a simulated critic's mistakes depend on.
type Noise string

// The kinds of noise.
const (
	NoiseIID     Noise = "iid"      // every query errs on its own: asking again helps
	NoisePerText Noise = "per-text" // equal words get equal mistakes, as of a model that misreads them: asking again is no help
)

// Oracle is a simulated critic: it knows the exact credit and errs at a chosen
// rate. A credit of zero is a tie, which it never gets wrong.
type Oracle struct {
	ErrorRate float64 // share of wrong verdicts, in [0,1]
	Noise     Noise   // "" is NoiseIID
	Seed      uint64  // of the mistakes
}

// NewOracle checks the options; it returns an error wrapping ErrOptions.
func NewOracle(errorRate float64, noise Noise, seed uint64) (*Oracle, error) {
	if !(errorRate >= 0 && errorRate <= 1) {
		return nil, fmt.Errorf("%w: the error rate is a number from 0 to 1, got %v", ErrOptions, errorRate)
	}
	switch noise {
	case "":
		noise = NoiseIID
	case NoiseIID, NoisePerText:
	default:
		return nil, fmt.Errorf("%w: noise is iid or per-text, got %q", ErrOptions, noise)
	}
	return &Oracle{ErrorRate: errorRate, Noise: noise, Seed: seed}, nil
}

// Name is the kind with every option a verdict depends on.
func (o *Oracle) Name() string {
	return fmt.Sprintf("oracle error_rate=%g noise=%s seed=%d", o.ErrorRate, o.noise(), o.Seed)
}

// Ask returns the sign of the exact credit, reversed at the error rate. It
// returns an error wrapping ErrTruth where the credit is unknown.
func (o *Oracle) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if math.IsNaN(q.Truth) {
		return Answer{}, ErrTruth
	}
	if q.Truth == 0 {
		return Answer{Vote: Tie, Confidence: 0.5}, nil
	}
	draw := uniform(o.Seed, q.Key, uint64(q.Query))
	if o.noise() == NoisePerText {
		draw = uniform(o.Seed, textHash(q.Forward), 0)
	}
	return sure((q.Truth > 0) != (draw < o.ErrorRate)), nil
}

func (o *Oracle) noise() Noise {
	if o.Noise == "" {
		return NoiseIID
	}
	return o.Noise
}

// sure is the answer of a critic that has no doubt.
func sure(second bool) Answer {
	if second {
		return Answer{Vote: Second, Confidence: 1}
	}
	return Answer{Vote: First, Confidence: 0}
}
