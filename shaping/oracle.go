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
var ErrOptions = errors.New("bad options of a critic")

// Noise says what a simulated critic's mistakes depend on.
type Noise string

// The kinds of noise.
const (
	NoiseIID     Noise = "iid"      // every query errs on its own: asking again helps
	NoisePerText Noise = "per-text" // equal words get equal mistakes, as of a model that misreads them: asking again is no help

	// NoisePerFamily: some kinds of situations are misread more often than
	// others. Each family (Question.Family) has an error rate of its own, drawn
	// evenly from 0 to twice the error rate (above one half: from what is as far
	// from it on the other side, up to 1), so that the mean over families is the
	// error rate; what is measured on a world depends on how common each family
	// is there. Within a family equal words get equal mistakes.
	NoisePerFamily Noise = "per-family"
)

// ErrFamily is returned by a critic whose mistakes go by families for a
// question of none: the world doesn't sort its situations.
var ErrFamily error = fatalError("shaping: noise per family needs a world that sorts its situations into families")

// fatalError ends a labelling at once: asking on is pointless.
type fatalError string

func (e fatalError) Error() string { return string(e) }

// Fatal says so.
func (fatalError) Fatal() bool { return true }

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
	case NoiseIID, NoisePerText, NoisePerFamily:
	default:
		return nil, fmt.Errorf("%w: noise is iid, per-text or per-family, got %q", ErrOptions, noise)
	}
	return &Oracle{ErrorRate: errorRate, Noise: noise, Seed: seed}, nil
}

// Name is the kind with every option a verdict depends on.
func (o *Oracle) Name() string {
	return fmt.Sprintf("oracle error_rate=%g noise=%s seed=%d", o.ErrorRate, o.noise(), o.Seed)
}

// Ask returns the sign of the exact credit, reversed at the error rate. It
// returns an error wrapping ErrTruth where the credit is unknown, ErrFamily
// where the noise goes by families and the question has none.
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
	draw, rate := uniform(o.Seed, q.Key, uint64(q.Query)), o.ErrorRate
	if o.noise() != NoiseIID {
		draw = uniform(o.Seed, textHash(q.Forward), 0)
	}
	if o.noise() == NoisePerFamily {
		if q.Family == "" {
			return Answer{}, ErrFamily
		}
		rate = o.familyRate(q.Family)
	}
	return sure((q.Truth > 0) != (draw < rate)), nil
}

// familyRate is the error rate of one family.
func (o *Oracle) familyRate(family string) float64 {
	spread := min(o.ErrorRate, 1-o.ErrorRate)
	return o.ErrorRate + spread*(2*uniform(o.Seed, textHash(family), 1)-1)
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
