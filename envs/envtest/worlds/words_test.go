package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/envs"
)

func TestUnevenWords(t *testing.T) {
	e, f, _ := start(t, "test-uneven-v0", nil)
	s, _ := envs.As[envs.Snapshotter](e)
	d, _ := envs.As[envs.Describer](e)
	before := s.AppendSnapshot(nil)
	e.Step(envs.Actions{Choice: []int32{0, 0, 0, 3, 0, 0}}, f)
	assert.Contains(t, string(d.AppendWords(nil, before, 1, envs.Guided)), "Its next goal is to say a word. Before: the mover was ")
	plain := string(d.AppendWords(nil, before, 0, envs.Plain))
	assert.Contains(t, plain, "mover_0 is the mover on a lane of 6 cells.")
	assert.Contains(t, plain, ", nobody had spoken. Now: the mover was in cell")
	assert.NotContains(t, plain, "next goal")
	assert.PanicsWithError(t, "envs: bad snapshot: 4 bytes, want 82", func() { d.AppendWords(nil, []byte("none"), 0, envs.Plain) })
}
