package process

import (
	"context"
	"errors"
	"fmt"
	"math"

	"marlpit/shaping"
)

// ErrUnknown is returned by a simulated critic for a round of which nobody
// knows what is right.
var ErrUnknown = errors.New("process: what is right in this round is not known")

// Answer is what a critic said of a round.
type Answer struct {
	Scores   []float64         // (proposals,) in [0,1], that of a wasted proposal is 0; nil where the answer is invalid
	Reasons  []string          // (proposals,) of the critic; "" where it gave none
	Invalid  string            // why nothing can be made of it; "" where it is valid
	Requests []shaping.Request // exchanges with a model, if any
}

// Valid says whether there are scores.
func (a *Answer) Valid() bool { return a.Invalid == "" }

// Critic judges rounds. Score may block, is called from several goroutines at
// once, and honours ctx. An error means that no answer could be had; one that
// can't be used is an Answer with Invalid.
type Critic interface {
	Name() string // recorded with each score: kind, model, options
	Score(ctx context.Context, r *Record) (Answer, error)
}

// Checked is an answer to a round of n proposals as a critic's code gave it,
// made invalid where its scores aren't what they have to be.
func Checked(a Answer, n int) Answer {
	if !a.Valid() {
		a.Scores, a.Reasons = nil, nil
		return a
	}
	bad := func(format string, args ...any) Answer {
		return Answer{Invalid: fmt.Sprintf(format, args...), Requests: a.Requests}
	}
	if len(a.Scores) != n {
		return bad("%d scores for %d proposals", len(a.Scores), n)
	}
	for i, s := range a.Scores {
		if !(s >= 0 && s <= 1) { // NaN as well
			return bad("score %d is %v, not in [0,1]", i, s)
		}
	}
	for len(a.Reasons) < n {
		a.Reasons = append(a.Reasons, "")
	}
	return a
}

// Solution is a simulated critic: it knows which proposals are right and errs at
// a chosen rate. Equal rounds get equal mistakes, each agent's on its own.
type Solution struct {
	ErrorRate float64 // share of proposals judged wrongly, in [0,1]
	Seed      uint64  // of the mistakes
}

// NewSolution checks the options; it returns an error wrapping shaping.ErrOptions.
func NewSolution(errorRate float64, seed uint64) (Solution, error) {
	if !(errorRate >= 0 && errorRate <= 1) {
		return Solution{}, fmt.Errorf("%w: the error rate is a number from 0 to 1, got %v", shaping.ErrOptions, errorRate)
	}
	return Solution{errorRate, seed}, nil
}

// Name is the kind with every option a score depends on.
func (s Solution) Name() string {
	return fmt.Sprintf("solution error_rate=%g seed=%d", s.ErrorRate, s.Seed)
}

// One is the score of one proposal of a round: 1 or 0. It allocates nothing. The
// key matters only where there are errors.
func (s Solution) One(k Key, agent int, right bool) float64 {
	if s.ErrorRate > 0 && uniform(s.Seed, k, agent) < s.ErrorRate {
		right = !right
	}
	if right {
		return 1
	}
	return 0
}

// Score implements Critic. It returns ErrUnknown where Right is.
func (s Solution) Score(_ context.Context, r *Record) (Answer, error) {
	if r.Right == nil {
		return Answer{}, ErrUnknown
	}
	var a Answer
	k := r.Key()
	for i, p := range r.Proposals {
		x := 0.0
		if !p.Wasted() {
			x = s.One(k, i, r.Right[i])
		}
		a.Scores = append(a.Scores, x)
		a.Reasons = append(a.Reasons, Because(x))
	}
	return a, nil
}

// Because is the reason that the solution critic gives.
func Because(score float64) string {
	if score == 1 {
		return "the task's solution would do this next"
	}
	return "the task's solution would not do this next"
}

// Random is a critic that draws every score evenly from [0,1): what one has to
// beat. Equal rounds get equal scores.
type Random struct {
	Seed uint64
}

// Name is the kind with its seed.
func (r Random) Name() string { return fmt.Sprintf("random seed=%d", r.Seed) }

// One is the score of one proposal. It allocates nothing.
func (r Random) One(k Key, agent int) float64 { return uniform(r.Seed, k, agent) }

// Score implements Critic.
func (r Random) Score(_ context.Context, x *Record) (Answer, error) {
	var a Answer
	k := x.Key()
	for i, p := range x.Proposals {
		s := 0.0
		if !p.Wasted() {
			s = r.One(k, i)
		}
		a.Scores = append(a.Scores, s)
		a.Reasons = append(a.Reasons, "")
	}
	return a, nil
}

// uniform is a number in [0,1) that depends on its arguments alone.
func uniform(seed uint64, k Key, agent int) float64 {
	h := mix(seed + 0x9e3779b97f4a7c15)
	for i := 0; i < len(k); i += 8 {
		var word uint64
		for j, b := range k[i : i+8] {
			word |= uint64(b) << (8 * j)
		}
		h = mix(h ^ word)
	}
	h = mix(h + uint64(agent)*0xbf58476d1ce4e5b9 + 1)
	return math.Ldexp(float64(h>>11), -53)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
