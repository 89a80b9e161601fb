package wrappers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// still is a world whose state is 100 mostly-zero elements, and which costs nothing.
type still struct{ spec envs.Spec }

func newStill() *still {
	s := still{}
	field := []envs.Field{{Name: "cell", Size: 100, Low: 0, High: 1, Help: "one-hot"}}
	s.spec = envs.Spec{
		ID: "still-v1", Agents: []string{"agent_0", "agent_1"}, Roles: []string{"agent", "agent"}, Team: true,
		Obs: []envs.Space{envs.NewBox(field), envs.NewBox(field)}, Action: []envs.Space{envs.NewDiscrete(2), envs.NewDiscrete(2)},
		Noop: []int32{0, 0}, State: envs.NewBox(field), StateField: field, Info: []string{"success"}, ObsVersion: 1,
	}
	return &s
}

func (s *still) Spec() *envs.Spec                     { return &s.spec }
func (s *still) Reset(_ uint64, out *envs.Frame)      { s.write(out, 0) }
func (s *still) Step(a envs.Actions, out *envs.Frame) { s.write(out, int(a.Choice[0])) }
func (s *still) write(out *envs.Frame, k int) {
	clear(out.State)
	for i := k; i < 100; i += 9 { // 12 elements
		out.State[i] = 1
	}
	clear(out.Info)
	clear(out.Team)
	clear(out.Rewards)
	clear(out.Terminated)
	clear(out.Truncated)
}

// BenchmarkCreditStep is a step of the credit wrapper with two nets on the whole
// state, in a world that costs next to nothing.
func BenchmarkCreditStep(b *testing.B) {
	e := newStill()
	zero, one := make([]float32, 100), make([]float32, 100)
	for i := range one {
		one[i] = float32(i % 2)
	}
	var pairs []prefer.Pair
	for k := range 20 {
		pairs = append(pairs, prefer.Pair{Agent: k % 2, StateA: zero, StateB: one, C: 1, Held: k > 15})
	}
	m, _, err := prefer.Fit(context.Background(), wrappers.World(e), pairs, prefer.Options{Input: shaping.State, Epochs: 2})
	require.NoError(b, err)
	l := &wrappers.Library{}
	l.Add("m", m)
	r, err := wrappers.ParseReward("credit")
	require.NoError(b, err)
	w, _, err := wrappers.Build(e, r, l)
	require.NoError(b, err)
	env := w(e)
	f := envs.NewFrame(env.Spec())
	env.Reset(0, f)
	a := envs.Actions{Choice: []int32{0, 0}}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		a.Choice[0] ^= 1
		env.Step(a, f)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "steps/s")
}
