package shapingtest

import (
	"context"
	"sync/atomic"
	"time"

	"marlpit/shaping"
)

// Scripted is a critic that says what its function says. Asked counts calls.
type Scripted struct {
	ID    string // "" is "scripted"
	Say   func(q shaping.Question) (shaping.Answer, error)
	Asked atomic.Int64
}

// Name is the ID.
func (s *Scripted) Name() string {
	if s.ID == "" {
		return "scripted"
	}
	return s.ID
}

// Ask calls Say; without one, every answer is a tie.
func (s *Scripted) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	if err := ctx.Err(); err != nil {
		return shaping.Answer{}, err
	}
	s.Asked.Add(1)
	if s.Say == nil {
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}
	return s.Say(q)
}

// Slow delays a critic, honouring the context.
type Slow struct {
	shaping.Critic
	Delay time.Duration
}

// Ask waits, then asks.
func (s Slow) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	select {
	case <-ctx.Done():
		return shaping.Answer{}, ctx.Err()
	case <-time.After(s.Delay):
	}
	return s.Critic.Ask(ctx, q)
}

// Failing makes every n-th call of a critic fail with Err.
type Failing struct {
	shaping.Critic
	Every int64 // 1: always
	Err   error
	calls atomic.Int64
}

// Ask fails or asks.
func (f *Failing) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	if f.calls.Add(1)%f.Every == 0 {
		return shaping.Answer{}, f.Err
	}
	return f.Critic.Ask(ctx, q)
}
