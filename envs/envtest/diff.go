package envtest

import (
	"fmt"
	"math"

	"marlpit/envs"
)

// diff tells the first element in which two frames differ, bit by bit; empty
// when they don't.
func diff(got, want *envs.Frame) string {
	for _, a := range []struct {
		name      string
		got, want []float32
	}{
		{"obs", got.Obs, want.Obs}, {"state", got.State, want.State}, {"rewards", got.Rewards, want.Rewards},
		{"team", got.Team, want.Team}, {"info", got.Info, want.Info},
	} {
		for i := range a.want {
			if math.Float32bits(a.got[i]) != math.Float32bits(a.want[i]) {
				return fmt.Sprintf("%s[%d] is %v, want %v", a.name, i, a.got[i], a.want[i])
			}
		}
	}
	for _, d := range []string{
		diffSlice("pixels", got.Pixels, want.Pixels), diffSlice("mask", got.Mask, want.Mask),
		diffSlice("terminated", got.Terminated, want.Terminated), diffSlice("truncated", got.Truncated, want.Truncated),
	} {
		if d != "" {
			return d
		}
	}
	return ""
}

func diffSlice[T comparable](name string, got, want []T) string {
	for i := range want {
		if got[i] != want[i] {
			return fmt.Sprintf("%s[%d] is %v, want %v", name, i, got[i], want[i])
		}
	}
	return ""
}

// lockstep plays the same random actions in both for up to n steps, past the
// end of the episode too, and tells the first difference.
func lockstep(got, want *player, n int) string {
	for range n {
		a := want.random()
		want.step(a)
		got.step(a)
		if d := same(got, want); d != "" {
			return fmt.Sprintf("step %d: %s", want.t, d)
		}
	}
	return ""
}

// same compares frames and what the abilities say of the states behind them.
func same(got, want *player) string {
	if d := diff(got.frame, want.frame); d != "" {
		return d
	}
	a, ok := envs.As[envs.Snapshotter](got.env)
	b, _ := envs.As[envs.Snapshotter](want.env)
	if ok && string(a.AppendSnapshot(nil)) != string(b.AppendSnapshot(nil)) {
		return "the frames are equal, the snapshots are not"
	}
	if a, ok := envs.As[envs.Drawer](got.env); ok {
		b, _ := envs.As[envs.Drawer](want.env)
		if x, y := a.AppendText(nil), b.AppendText(nil); string(x) != string(y) {
			return fmt.Sprintf("the boards differ:\n%s\nwant\n%s", x, y)
		}
	}
	if a, ok := envs.As[envs.Focuser](got.env); ok {
		b, _ := envs.As[envs.Focuser](want.env)
		for i := range got.spec.Agents {
			if d := diffSlice("focus of agent "+got.spec.Agents[i], a.AppendFocus(nil, i), b.AppendFocus(nil, i)); d != "" {
				return d
			}
		}
	}
	return ""
}
