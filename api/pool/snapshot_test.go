package pool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api/pool"
	"marlpit/envs"
)

func TestSnapshotPlaysOnIdenticallyAcrossEpisodes(t *testing.T) {
	for _, mode := range []pool.Mode{pool.Disabled, pool.NextStep, pool.SameStep} {
		a := newPool(t, "test-uneven-v0", nil, 4, 11, mode, 1)
		require.NoError(t, a.Reset(nil, nil))
		for step := range 10 {
			require.NoError(t, a.Step(acts(a, uint64(step))))
		}
		snap, err := a.AppendSnapshot(nil, 2)
		require.NoError(t, err)
		b := newPool(t, "test-uneven-v0", nil, 2, 99, mode, 1)
		require.NoError(t, b.Reset(nil, nil))
		require.NoError(t, b.Restore([]int{1}, [][]byte{snap}))
		was, now := a.Batch().Row(2), b.Batch().Row(1)
		assert.Equal(t, was.State, now.State)
		assert.Equal(t, []float32{0, 0}, now.Rewards)
		for step := range 80 { // over the limit of 30: the streams go on as well
			x := acts(a, uint64(100+step))
			y := acts(b, 1)
			copy(y.Choice[6:], part(x, 2, 4).Choice)
			require.NoError(t, a.Step(x))
			require.NoError(t, b.Step(y))
			was, now = a.Batch().Row(2), b.Batch().Row(1)
			require.Equal(t, was, now, "%v, step %d", mode, step)
		}
	}
}

func TestBadSnapshotChangesNothing(t *testing.T) {
	p := newPool(t, "test-uneven-v0", nil, 2, 1, pool.Disabled, 1)
	require.NoError(t, p.Reset(nil, nil))
	good, err := p.AppendSnapshot(nil, 0)
	require.NoError(t, err)
	require.NoError(t, p.Step(acts(p, 4)))
	was := append([]float32(nil), p.Batch().State...)
	later, err := p.AppendSnapshot(nil, 0)
	require.NoError(t, err)
	for _, bad := range [][]byte{nil, {}, {1}, good[:len(good)-1], append(append([]byte(nil), good...), 0), {9, 9, 9}} {
		err := p.Restore([]int{0, 1}, [][]byte{good, bad})
		require.ErrorIs(t, err, envs.ErrSnapshot)
		assert.Contains(t, err.Error(), "snapshot 1")
		assert.Equal(t, was, p.Batch().State)
		now, err := p.AppendSnapshot(nil, 0)
		require.NoError(t, err)
		assert.Equal(t, later, now)
	}
}

func TestASnapshotBeyondTheLastEpisodeIsRefused(t *testing.T) {
	p := newPool(t, "test-uneven-v0", nil, 1, 1, pool.NextStep, 1)
	require.NoError(t, p.Reset(nil, nil))
	snap, err := p.AppendSnapshot(nil, 0)
	require.NoError(t, err)
	copy(snap[14:18], "\xff\xff\xff\xff") // the next reset would make a row that no snapshot can hold
	require.ErrorIs(t, p.Restore([]int{0}, [][]byte{snap}), envs.ErrSnapshot)
	copy(snap[14:18], "\xff\xff\xff\x7f")
	require.NoError(t, p.Restore([]int{0}, [][]byte{snap}))
	require.NoError(t, p.Reset(nil, nil))
	q, err := p.Clone()
	require.NoError(t, err)
	t.Cleanup(q.Stop)
	assert.Equal(t, p.Batch(), q.Batch())
}

func TestSnapshotBeforeTheFirstReset(t *testing.T) {
	a := newPool(t, "test-uneven-v0", nil, 1, 1, pool.Disabled, 1)
	snap, err := a.AppendSnapshot(nil, 0)
	require.NoError(t, err)
	b := newPool(t, "test-uneven-v0", nil, 1, 2, pool.Disabled, 1)
	require.NoError(t, b.Reset(nil, nil))
	require.NoError(t, b.Restore([]int{0}, [][]byte{snap}))
	require.ErrorIs(t, b.Step(acts(b, 1)), pool.ErrNotReset)
	require.NoError(t, a.Reset(nil, nil))
	require.NoError(t, b.Reset(nil, nil))
	assert.Equal(t, a.Batch().State, b.Batch().State)
}

func TestClonePlaysOnIdentically(t *testing.T) {
	a := newPool(t, "test-uneven-v0", nil, 5, 1, pool.SameStep, 2)
	require.NoError(t, a.Reset(nil, nil))
	for step := range 7 {
		require.NoError(t, a.Step(acts(a, uint64(step))))
	}
	b, err := a.Clone()
	require.NoError(t, err)
	t.Cleanup(b.Stop)
	assert.Equal(t, a.Batch(), b.Batch(), "shows the same, rewards included")
	for step := range 60 {
		require.NoError(t, a.Step(acts(a, uint64(step))))
		require.NoError(t, b.Step(acts(b, uint64(step))))
		require.Equal(t, a.Batch(), b.Batch())
	}
	require.NoError(t, a.Reset(nil, nil))
	assert.NotEqual(t, a.Batch().State, b.Batch().State, "independent")
}
