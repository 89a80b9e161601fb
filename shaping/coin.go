package shaping

import (
	"context"
	"fmt"
)

// Coin is the critic that knows nothing: first or second with equal chance. It
// is the control that a fitted model has to beat.
type Coin struct {
	Seed uint64
}

// Name is the kind with its seed.
func (c Coin) Name() string { return fmt.Sprintf("coin seed=%d", c.Seed) }

// Ask throws the coin of this question and query; the same one always falls
// the same way.
func (c Coin) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	return sure(uniform(c.Seed^0xc01c01c01, q.Key, uint64(q.Query)) < 0.5), nil
}
