package envs_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
)

func TestSharedIsMadeOnceWhileHeld(t *testing.T) {
	var s envs.Shared[string, [64]int]
	made := 0
	build := func() *[64]int { made++; return &[64]int{made} }
	a := s.Get("a", build)
	require.Same(t, a, s.Get("a", build))
	require.NotSame(t, a, s.Get("b", build))
	require.Equal(t, 2, made)
	require.Equal(t, 1, a[0])
}

func TestSharedForgetsWhatNobodyHolds(t *testing.T) {
	var s envs.Shared[int, [64]int]
	made := 0
	build := func() *[64]int { made++; return new([64]int) }
	s.Get(0, build)
	require.Eventually(t, func() bool {
		runtime.GC()
		before := made
		s.Get(0, build)
		return made > before
	}, 5*time.Second, time.Millisecond)
}
