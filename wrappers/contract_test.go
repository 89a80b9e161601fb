package wrappers_test

import (
	"slices"
	"testing"

	"marlpit/envs/envtest"
	"marlpit/wrappers"
)

func TestContract(t *testing.T) {
	rewards := map[string]any{}
	for _, name := range wrappers.Schemes() {
		rewards[name] = name
	}
	rewards["add with options"] = map[string]any{"scheme": "add", "weight": 0.5, "gamma": 0.9, "terminal": "value"}
	delete(rewards, "process") // has a test of its own, in a world of rounds
	for name, reward := range rewards {
		for _, id := range []string{"test-count-v0", "test-stages-v0", "test-uneven-v0", "test-pixels-v0"} {
			solvable := id == "test-uneven-v0"
			if slices.Contains([]string{"oracle", "expert", "difference", "shapley"}, name) && !solvable {
				continue
			}
			if name == "shared-labels" && id != "test-count-v0" {
				continue // no views
			}
			t.Run(name+"/"+id, func(t *testing.T) {
				w := build(t, id, nil, reward, library(t, world(t, id, nil), 5))
				envtest.RunWrapped(t, entry(t, id), w)
			})
		}
	}
}

func TestStatsContract(t *testing.T) {
	envtest.RunWrapped(t, entry(t, "test-stages-v0"), wrappers.Stats)
}
