package pool_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api/pool"
	"marlpit/envs"
	"marlpit/envs/envtest/worlds"
)

func maker(t testing.TB, id string, params map[string]any) func() (envs.Env, error) {
	t.Helper()
	entry, err := envs.NewRegistry(worlds.Entries()...).Find(id)
	require.NoError(t, err)
	return func() (envs.Env, error) { return entry.New(params) }
}

func newPool(t testing.TB, id string, params map[string]any, n int, seed uint64, mode pool.Mode, workers int) *pool.Pool {
	t.Helper()
	p, err := pool.New(pool.Config{Make: maker(t, id, params), N: n, Seed: seed, Mode: mode, Workers: workers})
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	return p
}

// acts draws joint actions for a pool, the same for the same arguments.
func acts(p *pool.Pool, seed uint64) envs.Actions {
	var r envs.Rand
	r.Seed(seed)
	s := p.Spec()
	var a envs.Actions
	for range p.Len() {
		for _, space := range s.Action {
			for d := range s.ActionDims() {
				switch {
				case s.Continuous():
					a.Value = append(a.Value, float32(2*r.Float64()-1))
				case d < len(space.N):
					a.Choice = append(a.Choice, int32(r.Intn(space.N[d])))
				default:
					a.Choice = append(a.Choice, 0)
				}
			}
		}
	}
	return a
}

// part is row i of actions.
func part(a envs.Actions, i, n int) envs.Actions {
	if w := len(a.Choice) / n; w > 0 {
		return envs.Actions{Choice: a.Choice[i*w : (i+1)*w]}
	}
	w := len(a.Value) / n
	return envs.Actions{Value: a.Value[i*w : (i+1)*w]}
}

func TestBatchEqualsSingleEnvironments(t *testing.T) {
	for _, id := range []string{"test-uneven-v0", "test-pixels-v0", "test-stages-v0"} {
		const n = 9
		p := newPool(t, id, nil, n, 7, pool.NextStep, 3)
		require.NoError(t, p.Reset(nil, nil))
		var singles []*single
		for i := range n {
			singles = append(singles, newSingle(t, id, 7, i))
			row := p.Batch().Row(i)
			assert.Equal(t, *singles[i].out, row, "%s: row %d after reset", id, i)
		}
		for step := range 120 {
			a := acts(p, uint64(step))
			require.NoError(t, p.Step(a))
			for i, s := range singles {
				s.step(part(a, i, n))
				row := p.Batch().Row(i)
				require.Equal(t, *s.out, row, "%s: row %d, step %d", id, i, step)
			}
		}
	}
}

// single plays one row by itself, with next_step autoreset.
type single struct {
	env            envs.Env
	out            *envs.Frame
	seed           uint64
	index, episode int
}

func newSingle(t *testing.T, id string, seed uint64, index int) *single {
	e, err := maker(t, id, nil)()
	require.NoError(t, err)
	s := &single{env: e, out: envs.NewFrame(e.Spec()), seed: seed, index: index}
	e.Reset(envs.EpisodeSeed(seed, index, 0), s.out)
	return s
}

func (s *single) step(a envs.Actions) {
	if s.out.Ended() {
		s.episode++
		s.env.Reset(envs.EpisodeSeed(s.seed, s.index, s.episode), s.out)
		return
	}
	s.env.Step(a, s.out)
}

// counts plays the counting world, three steps long, with one agent, and tells
// what is seen: observation, reward, ended.
func counts(t *testing.T, mode pool.Mode, steps int) (seen []string) {
	p := newPool(t, "test-count-v0", map[string]any{"length": 3, "agents": 1}, 2, 0, mode, 1)
	require.NoError(t, p.Reset(nil, nil))
	for range steps {
		require.NoError(t, p.Step(acts(p, 1)))
		f := p.Batch().Row(1)
		line := fmt.Sprintf("%v %v %v", f.Obs[0], f.Rewards[0], f.Terminated[0])
		if len(p.FinalRows()) > 0 {
			last := p.Batch().FinalRow(1)
			line += fmt.Sprintf(" final %v of %v", last.Obs[0], p.FinalRows())
		}
		seen = append(seen, line)
	}
	return seen
}

func TestAutoresetModes(t *testing.T) {
	assert.Equal(t, []string{"1 0 false", "2 0 false", "3 1 true", "3 0 true", "3 0 true"},
		counts(t, pool.Disabled, 5), "disabled: stays, with reward 0")
	assert.Equal(t, []string{"1 0 false", "2 0 false", "3 1 true", "0 0 false", "1 0 false"},
		counts(t, pool.NextStep, 5), "next_step: T, then 0 with reward 0 and the action ignored")
	assert.Equal(t, []string{"1 0 false", "2 0 false", "0 1 true final 3 of [0 1]", "1 0 false", "2 0 false"},
		counts(t, pool.SameStep, 5), "same_step: obs 0, final obs T")
}

func TestDisabledRowIsRevivedByReset(t *testing.T) {
	p := newPool(t, "test-count-v0", map[string]any{"length": 1}, 1, 0, pool.Disabled, 1)
	require.NoError(t, p.Reset(nil, nil))
	require.NoError(t, p.Step(acts(p, 1)))
	assert.True(t, p.Batch().Ended())
	require.NoError(t, p.Reset(nil, nil))
	assert.False(t, p.Batch().Ended())
	assert.Equal(t, []float32{0, 0}, p.Batch().Obs)
}

func TestStepBeforeResetIsRefused(t *testing.T) {
	p := newPool(t, "test-count-v0", nil, 3, 0, pool.Disabled, 1)
	require.ErrorIs(t, p.Step(acts(p, 1)), pool.ErrNotReset)
	require.NoError(t, p.Reset([]uint8{1, 0, 1}, nil))
	err := p.Step(acts(p, 1))
	require.ErrorIs(t, err, pool.ErrNotReset)
	assert.Contains(t, err.Error(), "row 1")
	assert.Equal(t, []float32{0, 0, 0, 0, 0, 0}, p.Batch().Obs, "nothing moved")
	require.NoError(t, p.Reset([]uint8{0, 1, 0}, nil))
	require.NoError(t, p.Step(acts(p, 1)))
}

func TestMaskedResetLeavesOtherRows(t *testing.T) {
	p := newPool(t, "test-count-v0", nil, 3, 0, pool.Disabled, 1)
	require.NoError(t, p.Reset(nil, nil))
	require.NoError(t, p.Step(acts(p, 1)))
	require.NoError(t, p.Reset([]uint8{0, 1, 0}, nil))
	assert.Equal(t, []float32{1, 1, 0, 0, 1, 1}, p.Batch().Obs)
}

// layouts are the states of all rows right after a reset.
func layouts(t *testing.T, p *pool.Pool, seed *uint64) []string {
	t.Helper()
	require.NoError(t, p.Reset(nil, seed))
	var out []string
	for i := range p.Len() {
		out = append(out, fmt.Sprint(p.Batch().Row(i).State))
	}
	return out
}

func TestSeedsMakeStreams(t *testing.T) {
	wide := map[string]any{"cells": 20}
	a := newPool(t, "test-uneven-v0", wide, 8, 0, pool.Disabled, 1)
	b := newPool(t, "test-uneven-v0", wide, 8, 0, pool.Disabled, 4)
	first := layouts(t, a, nil)
	assert.Equal(t, first, layouts(t, b, nil), "seed 0 is a seed: equal streams")
	distinct := map[string]bool{}
	for _, l := range first {
		distinct[l] = true
	}
	assert.GreaterOrEqual(t, len(distinct), 7, "copies get layouts of their own (of 400 possible)")
	second := layouts(t, a, nil)
	assert.NotEqual(t, first, second, "reset without a seed continues the stream")
	assert.Equal(t, second, layouts(t, b, nil))
	zero, one := uint64(0), uint64(1)
	assert.Equal(t, first, layouts(t, a, &zero), "a seed starts anew at episode 0")
	assert.Equal(t, second, layouts(t, a, nil))
	assert.NotEqual(t, first, layouts(t, a, &one))
}

func TestPanicFailsThePoolForGood(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := newPool(t, "test-panic-v0", map[string]any{"at": 2}, 64, 0, pool.Disabled, workers)
		require.NoError(t, p.Reset(nil, nil))
		require.NoError(t, p.Step(acts(p, 1)))
		p.Spread()
		err := p.Step(acts(p, 1))
		require.ErrorIs(t, err, pool.ErrFailed)
		var f *pool.Failure
		require.True(t, errors.As(err, &f))
		assert.Equal(t, "worlds: test-panic-v0: step 2", f.Value)
		assert.GreaterOrEqual(t, f.Row, 0)
		assert.Contains(t, string(f.Stack), "panic")
		assert.Equal(t, err, p.Step(acts(p, 1)), "the error is definite")
		assert.Equal(t, err, p.Reset(nil, nil))
		_, err = p.AppendSnapshot(nil, 0)
		require.ErrorIs(t, err, pool.ErrFailed)
	}
}

func TestPanicWhileResettingAndBuilding(t *testing.T) {
	p := newPool(t, "test-panic-v0", map[string]any{"in": "reset", "at": 1}, 1, 0, pool.Disabled, 1)
	require.ErrorIs(t, p.Reset(nil, nil), pool.ErrFailed)
	_, err := pool.New(pool.Config{N: 1, Make: func() (envs.Env, error) { panic("no world") }})
	require.ErrorIs(t, err, pool.ErrFailed)
	assert.Contains(t, err.Error(), "no world")
}

func TestWorkersGiveTheSameAndEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	a := newPool(t, "test-uneven-v0", nil, 300, 5, pool.SameStep, 1)
	b := newPool(t, "test-uneven-v0", nil, 300, 5, pool.SameStep, 4)
	require.NoError(t, a.Reset(nil, nil))
	require.NoError(t, b.Reset(nil, nil))
	for step := range 60 {
		b.Spread()
		require.NoError(t, a.Step(acts(a, uint64(step))))
		require.NoError(t, b.Step(acts(b, uint64(step))))
		require.Equal(t, a.Batch(), b.Batch(), "step %d", step)
		require.Equal(t, a.FinalRows(), b.FinalRows())
	}
	a.Stop()
	b.Stop()
	b.Stop()
	for range 1000 { // a goroutine that has ended may still be counted
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before: Stop ends the workers", runtime.NumGoroutine(), before)
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, mode := range []pool.Mode{pool.Disabled, pool.NextStep, pool.SameStep} {
			p := newPool(t, "test-uneven-v0", nil, 50, 5, mode, workers)
			require.NoError(t, p.Reset(nil, nil))
			a := acts(p, 3)
			step := func() {
				if workers > 1 {
					p.Spread()
				}
				if err := p.Step(a); err != nil {
					t.Fatal(err)
				}
			}
			step()
			assert.Zero(t, testing.AllocsPerRun(200, step), "%d workers, %v", workers, mode)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	p := newPool(t, "test-count-v0", nil, 2, 0, pool.Disabled, 1)
	require.NoError(t, p.Reset(nil, nil))
	assert.PanicsWithValue(t, "pool: 1 action elements, want 4 (rows × agents × dims)",
		func() { _ = p.Step(envs.Actions{Choice: []int32{0}}) })
	assert.PanicsWithValue(t, "pool: mask of 1 rows, want 2", func() { _ = p.Reset([]uint8{1}, nil) })
}

func TestModeNames(t *testing.T) {
	for _, name := range []string{"disabled", "next_step", "same_step"} {
		m, ok := pool.ParseMode(name)
		assert.True(t, ok)
		assert.Equal(t, name, m.String())
	}
	_, ok := pool.ParseMode("sometimes")
	assert.False(t, ok)
}

// BenchmarkSpread compares walking rows alone with waking workers for them; it
// is where spreadAbove and gatherBelow come from.
func BenchmarkSpread(b *testing.B) {
	for _, n := range []int{1, 16, 256, 4096} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=%d/workers=%d", n, workers), func(b *testing.B) {
				p := newPool(b, "test-uneven-v0", nil, n, 5, pool.SameStep, workers)
				require.NoError(b, p.Reset(nil, nil))
				a := acts(p, 3)
				for b.Loop() {
					if workers > 1 {
						p.Spread()
					}
					_ = p.Step(a)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "steps/s")
			})
		}
	}
}

// Where environments wait for others, all of them wait at the same time, from
// the first step on.
func TestRowsThatWaitAreSpread(t *testing.T) {
	const n, wait = 16, 60 * time.Millisecond
	p, err := pool.New(pool.Config{Make: maker(t, "test-slow-v0", map[string]any{"millis": int(wait / time.Millisecond)}), N: n, Workers: n, Waits: true})
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	require.NoError(t, p.Reset(nil, nil))
	for range 2 {
		start := time.Now()
		require.NoError(t, p.Step(acts(p, 1)))
		assert.Less(t, time.Since(start), 4*wait, "%d rows one after another take %v", n, n*wait)
	}
}
