package envs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/envs"
)

// twoSpec has two unlike agents: 2 and 3 observed elements, 3 and 2+2 choices.
func twoSpec() *envs.Spec {
	small := []envs.Field{{Name: "x", Size: 2, Low: -1, High: 1, Help: "place"}}
	large := append([]envs.Field{{Name: "flag", Size: 1, Low: 0, High: 2, Help: "flag"}}, small...)
	return &envs.Spec{
		ID: "toy-v1", Agents: []string{"a_0", "b_0"},
		Obs:    []envs.Space{envs.NewBox(small), envs.NewBox(large)},
		Action: []envs.Space{envs.NewDiscrete(3), {Kind: envs.MultiDiscrete, N: []int{2, 2}}},
		State:  envs.NewBox(large), Info: []string{"moves", "success"},
	}
}

func pictureSpec() *envs.Spec {
	s := twoSpec()
	for i := range s.Obs {
		s.Obs[i] = envs.Space{Kind: envs.Box, Dtype: envs.Uint8, Shape: []int{2, 4, 3}, Low: []float32{0}, High: []float32{255}}
		s.Action[i] = envs.Space{Kind: envs.Box, Shape: []int{2}, Low: []float32{-1}, High: []float32{1}}
	}
	return s
}

func TestFrameHasTheSpecsLengths(t *testing.T) {
	f := envs.NewFrame(twoSpec())
	assert.Len(t, f.Obs, 2*3)
	assert.Nil(t, f.Pixels)
	assert.Len(t, f.Mask, 2*4)
	assert.Len(t, f.State, 3)
	assert.Len(t, f.Info, 2*2)
	for _, n := range []int{len(f.Rewards), len(f.Team), len(f.Terminated), len(f.Truncated)} {
		assert.Equal(t, 2, n)
	}
	p := envs.NewFrame(pictureSpec())
	assert.Nil(t, p.Obs)
	assert.Len(t, p.Pixels, 2*2*4*3)
	assert.Empty(t, p.Mask)
}

func TestRowsShareTheBatchsMemory(t *testing.T) {
	for _, spec := range []*envs.Spec{twoSpec(), pictureSpec()} {
		b := envs.NewBatch(spec, 3, true)
		assert.Equal(t, 3, b.Len())
		for i := range 3 {
			mark(b.Row(i), float32(i+1))
			mark(b.FinalRow(i), float32(i+11))
		}
		for i := range 3 {
			checkMarked(t, b.Row(i), float32(i+1))
			checkMarked(t, b.FinalRow(i), float32(i+11))
		}
		assert.Equal(t, []float32{1, 1, 2, 2, 3, 3}, b.Rewards)
		assert.Equal(t, []float32{11, 11, 12, 12, 13, 13}, b.Final.Team)
		assert.Equal(t, []bool{true, true, false, false, true, true}, b.Terminated)
		row := b.Row(0)
		_ = append(row.Rewards, 9) // a row has no room to grow into its neighbour
		assert.Equal(t, float32(2), b.Rewards[2])
	}
	assert.Nil(t, envs.NewBatch(twoSpec(), 2, false).Final)
}

func mark(f envs.Frame, v float32) {
	for _, s := range [][]float32{f.Obs, f.State, f.Rewards, f.Team, f.Info} {
		for i := range s {
			s[i] = v
		}
	}
	for _, s := range [][]uint8{f.Pixels, f.Mask} {
		for i := range s {
			s[i] = uint8(v)
		}
	}
	for i := range f.Terminated {
		f.Terminated[i], f.Truncated[i] = int(v)%2 == 1, int(v)%2 == 0
	}
}

func checkMarked(t *testing.T, f envs.Frame, v float32) {
	t.Helper()
	want := envs.Frame{
		Obs: make([]float32, len(f.Obs)), Pixels: make([]uint8, len(f.Pixels)), Mask: make([]uint8, len(f.Mask)),
		State: make([]float32, len(f.State)), Rewards: make([]float32, 2), Team: make([]float32, 2), Info: make([]float32, 4),
		Terminated: make([]bool, 2), Truncated: make([]bool, 2),
	}
	if f.Obs == nil {
		want.Obs = nil
	}
	if f.Pixels == nil {
		want.Pixels = nil
	}
	mark(want, v)
	assert.Equal(t, want, f)
}

func TestCopyIsDeep(t *testing.T) {
	for _, spec := range []*envs.Spec{twoSpec(), pictureSpec()} {
		src, dst := envs.NewFrame(spec), envs.NewFrame(spec)
		mark(*src, 7)
		dst.Copy(src)
		checkMarked(t, *dst, 7)
		mark(*src, 8)
		checkMarked(t, *dst, 7)
	}
}

func TestEnded(t *testing.T) {
	f := envs.NewFrame(twoSpec())
	assert.False(t, f.Ended())
	f.Terminated[0] = true
	assert.False(t, f.Ended())
	f.Truncated[1] = true
	assert.True(t, f.Ended())
}
