package wrappers_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// bare has no abilities; saves and copies have one each.
type bare struct{ envs.Env }

type saves struct {
	envs.Env
	envs.Snapshotter
}

type copies struct {
	envs.Env
	inner envs.Cloner
}

func (c copies) Clone() envs.Env {
	e := c.inner.Clone()
	return copies{e, e.(envs.Cloner)}
}

func (c copies) CloneInto(dst envs.Env) { c.inner.CloneInto(dst.(copies).Env) }

func TestWrappersHaveTheAbilitiesOfTheGame(t *testing.T) {
	l := &wrappers.Library{} // of the state, which a game without abilities has too
	l.Add("", randomModel(t, world(t, "test-count-v0", nil), prefer.Agents, shaping.State, 2))
	w := build(t, "test-count-v0", nil, "credit", l)
	abilities := func(e envs.Env) [2]bool {
		_, s := envs.As[envs.Snapshotter](e)
		_, c := envs.As[envs.Cloner](e)
		return [2]bool{s, c}
	}
	game := func() envs.Env { return focused{world(t, "test-count-v0", nil)} }
	assert.Equal(t, [2]bool{true, true}, abilities(w(world(t, "test-count-v0", nil))))
	assert.Equal(t, [2]bool{}, abilities(w(bare{game()})))
	g := game()
	assert.Equal(t, [2]bool{true, false}, abilities(w(saves{g, g.(focused).Env.(envs.Snapshotter)})))

	g = game().(focused).Env
	e := w(copies{g, g.(envs.Cloner)})
	require.Equal(t, [2]bool{false, true}, abilities(e))
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	e.Step(noops(e), f)
	twin := e.(envs.Cloner).Clone()
	h := envs.NewFrame(e.Spec())
	e.Step(noops(e), f)
	twin.Step(noops(e), h)
	assert.Equal(t, f, h)
	e.(envs.Cloner).CloneInto(twin)
	e.Step(noops(e), f)
	twin.Step(noops(e), h)
	assert.Equal(t, f, h)
}

// focused hides every ability but the game's own methods.
type focused struct{ envs.Env }

func TestLibraryFromManyGoroutines(t *testing.T) {
	e := world(t, "test-count-v0", nil)
	m := randomModel(t, e, prefer.Agents, "", 1)
	l := &wrappers.Library{}
	l.Add("a", m)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				l.Add("b", m)
				_, err := l.Find("a", e.Spec(), prefer.Agents)
				assert.NoError(t, err)
				l.List()
				l.Remove("b")
			}
		})
	}
	wg.Wait()
	assert.Len(t, l.List(), 1)
}
