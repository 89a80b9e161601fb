package envs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marlpit/envs"
)

func TestSpecSizes(t *testing.T) {
	s := twoSpec()
	assert.Equal(t, []int{3}, s.ObsShape())
	assert.Equal(t, 3, s.ObsSize())
	assert.Equal(t, envs.Float32, s.ObsDtype())
	assert.False(t, s.Continuous())
	assert.Equal(t, 2, s.ActionDims())
	assert.Equal(t, 4, s.Choices())
	assert.Equal(t, 1, s.InfoColumn("success"))
	assert.Equal(t, -1, s.InfoColumn("Success"))

	p := pictureSpec()
	assert.Equal(t, []int{2, 4, 3}, p.ObsShape())
	assert.Equal(t, 24, p.ObsSize())
	assert.Equal(t, envs.Uint8, p.ObsDtype())
	assert.True(t, p.Continuous())
	assert.Equal(t, 0, p.Choices())
}

func TestNewBoxTakesBoundsFromFields(t *testing.T) {
	s := twoSpec().State
	assert.Equal(t, envs.Space{Kind: envs.Box, Shape: []int{3}, Low: []float32{0, -1, -1}, High: []float32{2, 1, 1}}, s)
	assert.Equal(t, 3, s.Size())
	assert.Equal(t, 0, s.Choices())
}

func TestDiscreteSpaces(t *testing.T) {
	d := envs.NewDiscrete(5)
	assert.Equal(t, [2]int{1, 5}, [2]int{d.Size(), d.Choices()})
	m := envs.Space{Kind: envs.MultiDiscrete, N: []int{2, 3, 4}}
	assert.Equal(t, [2]int{3, 9}, [2]int{m.Size(), m.Choices()})
}

func TestNamesOnTheWire(t *testing.T) {
	assert.Equal(t, []string{"box", "discrete", "multi_discrete"}, []string{envs.Box.String(), envs.Discrete.String(), envs.MultiDiscrete.String()})
	assert.Equal(t, []string{"float32", "uint8"}, []string{envs.Float32.String(), envs.Uint8.String()})
	for _, v := range []envs.View{envs.Guided, envs.Plain} {
		got, ok := envs.ParseView(v.String())
		assert.True(t, ok)
		assert.Equal(t, v, got)
	}
	_, ok := envs.ParseView("Guided")
	assert.False(t, ok)
}

func TestCheckActions(t *testing.T) {
	s, p := twoSpec(), pictureSpec()
	assert.NotPanics(t, func() { s.CheckActions(envs.Actions{Choice: make([]int32, 4)}) })
	assert.NotPanics(t, func() { p.CheckActions(envs.Actions{Value: make([]float32, 4)}) })
	assert.PanicsWithValue(t, "envs: toy-v1: 3 action elements, want 4 (agents × dims)", func() { s.CheckActions(envs.Actions{Choice: make([]int32, 3)}) })
	assert.Panics(t, func() { s.CheckActions(envs.Actions{Value: make([]float32, 4)}) })
	assert.Panics(t, func() { p.CheckActions(envs.Actions{Choice: make([]int32, 4)}) })
}

// game, thin and deep are environments to look for abilities in.
type game struct{ envs.Env }

func (game) DenseRewards([]float32) {}

type thin struct{ envs.Env }

func (w thin) Unwrap() envs.Env { return w.Env }

type deep struct {
	thin
	name string
}

func (deep) DenseRewards([]float32) {}

type opaque struct{ envs.Env }

func TestAsFindsTheOutermost(t *testing.T) {
	inner := game{}
	d, ok := envs.As[envs.DenseRewarder](thin{thin{inner}})
	assert.True(t, ok)
	assert.Equal(t, inner, d)

	d, ok = envs.As[envs.DenseRewarder](thin{deep{thin{inner}, "outer"}})
	assert.True(t, ok)
	assert.Equal(t, "outer", d.(deep).name)

	d, ok = envs.As[envs.DenseRewarder](inner)
	assert.True(t, ok)
	assert.Equal(t, inner, d)
}

func TestAsFindsNothing(t *testing.T) {
	for _, e := range []envs.Env{nil, thin{nil}, opaque{game{}}, thin{opaque{game{}}}} {
		d, ok := envs.As[envs.DenseRewarder](e)
		assert.False(t, ok)
		assert.Nil(t, d)
	}
	_, ok := envs.As[envs.Solver](thin{game{}})
	assert.False(t, ok)
}
