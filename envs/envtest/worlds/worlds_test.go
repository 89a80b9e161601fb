package worlds_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

// start builds a world and resets it; step plays no-ops, or boxes of 0.
func start(t *testing.T, id string, params map[string]any) (envs.Env, *envs.Frame, func()) {
	t.Helper()
	entry, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	require.NoError(t, err)
	e, err := entry.New(params)
	require.NoError(t, err)
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	n := len(e.Spec().Agents) * e.Spec().ActionDims()
	a := envs.Actions{Choice: make([]int32, n)}
	if e.Spec().Continuous() {
		a = envs.Actions{Value: make([]float32, n)}
	}
	return e, f, func() { e.Step(a, f) }
}

func TestIDs(t *testing.T) {
	var ids []string
	for _, e := range worlds.Entries() {
		ids = append(ids, e.ID)
	}
	assert.ElementsMatch(t, []string{"test-count-v0", "test-panic-v0", "test-pixels-v0", "test-rounds-v0", "test-slow-v0", "test-stages-v0", "test-uneven-v0"}, ids)
}

func TestCountCounts(t *testing.T) {
	_, f, step := start(t, "test-count-v0", map[string]any{"agents": 3, "length": 2})
	assert.Equal(t, []float32{0, 0, 0}, f.Obs)
	step()
	assert.Equal(t, []float32{1, 1, 1}, f.Obs)
	assert.False(t, f.Ended())
	step()
	assert.Equal(t, []float32{2, 2, 2}, f.Obs)
	assert.Equal(t, []float32{1, 1, 1}, f.Team)
	assert.Equal(t, []bool{true, true, true}, f.Terminated)
	assert.Equal(t, []bool{false, false, false}, f.Truncated)

	_, f, step = start(t, "test-count-v0", map[string]any{"length": 1, "end": "truncate"})
	step()
	assert.Equal(t, []float32{0, 0}, f.Team)
	assert.Equal(t, []bool{false, false}, f.Terminated)
	assert.Equal(t, []bool{true, true}, f.Truncated)
}

func TestPanicPanics(t *testing.T) {
	_, _, step := start(t, "test-panic-v0", nil)
	step()
	step()
	assert.PanicsWithValue(t, "worlds: test-panic-v0: step 3", step)

	e, f, _ := start(t, "test-panic-v0", map[string]any{"at": 2, "in": "reset"})
	assert.PanicsWithValue(t, "worlds: test-panic-v0: reset 2", func() { e.Reset(0, f) })
	assert.Panics(t, func() { start(t, "test-panic-v0", map[string]any{"at": 1, "in": "reset"}) })
}

func TestStagesDieOneAfterTheOther(t *testing.T) {
	_, f, step := start(t, "test-stages-v0", nil)
	paid := map[int][]float32{2: {1, 0, 0}, 4: {0, 1, 0}, 7: {0, 0, 1}}
	for n := 1; n <= 8; n++ {
		step()
		want := paid[n]
		if want == nil {
			want = []float32{0, 0, 0}
		}
		assert.Equal(t, want, f.Rewards, "step %d", n)
		assert.Equal(t, []bool{n >= 2, n >= 4, n >= 7}, f.Terminated, "step %d", n)
	}
	assert.Equal(t, []float32{2, 4, 7}, f.Obs)
}

func TestSlowSleeps(t *testing.T) {
	_, _, step := start(t, "test-slow-v0", map[string]any{"millis": 20, "length": 1})
	begin := time.Now()
	step()
	assert.GreaterOrEqual(t, time.Since(begin), 20*time.Millisecond)
}

func TestPixelsShowTheMove(t *testing.T) {
	e, f, _ := start(t, "test-pixels-v0", map[string]any{"agents": 1, "height": 4, "width": 4})
	red := func() (y, x int) {
		for i := 0; i < len(f.Pixels); i += 3 {
			if f.Pixels[i] == 255 {
				return i / 3 / 4, i / 3 % 4
			}
		}
		return -1, -1
	}
	y, x := red()
	assert.Equal(t, []float32{float32(y), float32(x)}, f.State)
	e.Step(envs.Actions{Value: []float32{0, 1}}, f)
	y2, x2 := red()
	assert.Equal(t, [2]int{y, x + 1}, [2]int{y2, x2})
	assert.Equal(t, []float32{1, 0}, f.Info) // moved, no success
}

func TestUnevenIsUneven(t *testing.T) {
	e, f, _ := start(t, "test-uneven-v0", nil)
	s := e.Spec()
	assert.Equal(t, [2]int{5, 2}, [2]int{s.Obs[0].Size(), s.Obs[1].Size()})
	assert.Equal(t, [][]int{{3, 2}, {4, 2, 3}}, [][]int{s.Action[0].N, s.Action[1].N})
	assert.Equal(t, []uint8{0, 0, 0, 0}, f.Mask[5:9], "the mover's padding")
	assert.Equal(t, []float32{0, 0, 0}, f.Obs[7:], "the talker's padding")
}

// From every start of small lanes, the best play a breadth-first search finds is
// the one the solver promises.
func TestUnevenSolverAgainstSearch(t *testing.T) {
	for seed := range uint64(30) {
		e, f, _ := start(t, "test-uneven-v0", map[string]any{"cells": 5, "max_cycles": 0})
		e.Reset(seed, f)
		solver, _ := envs.As[envs.Solver](e)
		_, time := solver.Remaining()
		assert.Equal(t, shortest(t, e, f), int(time), "seed %d", seed)
	}
}

// shortest is the least number of steps to success, by breadth-first search over snapshots.
func shortest(t *testing.T, e envs.Env, f *envs.Frame) int {
	t.Helper()
	s, _ := envs.As[envs.Snapshotter](e)
	frontier, seen := []string{string(s.AppendSnapshot(nil))}, map[string]bool{}
	for depth := 1; depth < 20; depth++ {
		var next []string
		for _, from := range frontier {
			for walk := range int32(3) {
				for press := range int32(2) {
					for word := range int32(2) {
						require.NoError(t, s.Restore([]byte(from), f))
						e.Step(envs.Actions{Choice: []int32{walk, press, 0, word, 0, 0}}, f)
						if f.Terminated[0] {
							return depth
						}
						if to := string(s.AppendSnapshot(nil)); !seen[to] {
							seen[to] = true
							next = append(next, to)
						}
					}
				}
			}
		}
		frontier = next
	}
	return -1
}
