package web

import (
	"testing"

	"marlpit/envs/envtest"
)

func TestContract(t *testing.T) {
	envtest.Run(t, World(), map[string]any{"agents": 2, "rounds": 2},
		map[string]any{"template": "click-button", "agents": 1, "rounds": 1, "distractors": true, "words": "reworded"})
}

func TestGolden(t *testing.T) {
	envtest.Golden(t, World(), "testdata/golden.txt", map[string]any{"template": "login-user", "agents": 2, "rounds": 2})
}

// FuzzRestore tries damaged snapshots. There are no envtest.Cases, which want a
// board to read from text (uitest and the tests of the apps hold the rules), and
// no envtest.Reach: bounds of hashes are those of unit vectors, which random play
// doesn't touch in each of their places.
func FuzzRestore(f *testing.F) {
	envtest.Fuzz(f, World(), map[string]any{"agents": 2, "rounds": 2})
}
