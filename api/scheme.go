package api

import (
	"marlpit/envs"
)

// buildReward turns the reward of a creation request into a wrapper and what
// its options resolved to.
func buildReward(template envs.Env, reward any, models *Models) (envs.Wrapper, map[string]any, error) {
	if reward == nil || reward == "team" {
		return func(e envs.Env) envs.Env { return e }, map[string]any{"scheme": "team"}, nil
	}
	return nil, nil, refuse(errInvalid, "/reward", "there is no reward scheme %.40q", reward)
}
