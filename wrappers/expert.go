package wrappers

import (
	"fmt"

	"marlpit/envs"
)

// handwritten pays the world's own dense reward.
type handwritten struct{ world envs.DenseRewarder }

func newExpert(template envs.Env, r Reward) (envs.Wrapper, error) {
	if _, ok := envs.As[envs.DenseRewarder](template); !ok {
		return nil, fmt.Errorf("%w: expert: %s has no dense reward written for it", ErrReward, template.Spec().ID)
	}
	return newMomentary(func(e envs.Env) payer {
		d, _ := envs.As[envs.DenseRewarder](e)
		return handwritten{d}
	}, r, 0), nil
}

func (h handwritten) read(_, dst []float32) { h.world.DenseRewards(dst) }
