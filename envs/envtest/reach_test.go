package envtest

import (
	"slices"
	"testing"

	"marlpit/envs"
)

func TestReach(t *testing.T) {
	Reach(t, world(t, "test-uneven-v0"), 10000, nil)
	Reach(t, world(t, "test-pixels-v0"), 10000, map[string]any{"height": 4, "width": 4})
	Reach(t, world(t, "test-stages-v0"), 20, nil)
}

func TestReachFindsFalseBounds(t *testing.T) {
	e := broken(t, "test-uneven-v0", with(breakage{spec: func(s *envs.Spec) {
		s.StateField = slices.Clone(s.StateField)
		s.StateField[2].High = 2 // the tone is 0 or 1
	}}))
	got := unreached(t, newSubject(t, e, nil, nil), 10000)
	want := []unmet{{"tone", "tone of state was from 0 to 1, the layout says 0 to 2"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
