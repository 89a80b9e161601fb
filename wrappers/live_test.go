package wrappers_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marlpit/envs"
	"marlpit/envs/envtest"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// version is a random model of a world, as version n of a labelling.
func version(t testing.TB, e envs.Env, n int) *prefer.Model {
	t.Helper()
	m := randomModel(t, e, prefer.Agents, "", uint64(n))
	m.Header.Version = n
	return m
}

func liveReward(t testing.TB, reward map[string]any) wrappers.Reward {
	t.Helper()
	reward["live"] = map[string]any{"critic": "scripted"}
	r, err := wrappers.ParseReward(reward)
	require.NoError(t, err)
	return r
}

func buildLive(t testing.TB, id string, reward map[string]any, live *wrappers.Live) envs.Wrapper {
	t.Helper()
	w, _, err := wrappers.BuildLive(world(t, id, nil), liveReward(t, reward), live)
	require.NoError(t, err)
	return w
}

func TestLiveContract(t *testing.T) {
	for _, id := range []string{"test-count-v0", "test-stages-v0", "test-uneven-v0", "test-pixels-v0"} {
		for _, scheme := range []string{"credit", "credit-mean", "sum", "add"} {
			for _, at := range []int{0, 3} {
				live := wrappers.NewLive(7, world(t, id, nil), nil)
				live.Want(true)
				if at > 0 {
					require.NoError(t, live.Use(version(t, world(t, id, nil), at)))
				}
				t.Run(scheme+"/"+id, func(t *testing.T) {
					envtest.RunWrapped(t, entry(t, id), buildLive(t, id, map[string]any{"scheme": scheme}, live))
				})
			}
		}
	}
}

func TestLiveOptionsResolve(t *testing.T) {
	const id = "test-count-v0"
	live := wrappers.NewLive(7, world(t, id, nil), nil)
	r := liveReward(t, map[string]any{"scheme": "credit"})
	_, resolved, err := wrappers.BuildLive(world(t, id, nil), r, live)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"scheme": "credit", "form": "replace", "scale": 0.1, "gamma": 1.0, "terminal": "value", "bonus": 1.0, "step_cost": 0.01, "model_version": 0,
		"live": map[string]any{"critic": "scripted", "viewpoint": "", "queries": 1, "transitions": 1000, "budget_requests": 10000, "refit_every": 200, "seed": uint64(0)},
	}, resolved)
	r = liveReward(t, map[string]any{"scheme": "credit", "form": "add"})
	assert.Equal(t, "add", r.Scheme)

	_, _, err = wrappers.Build(world(t, id, nil), r, nil)
	require.ErrorIs(t, err, wrappers.ErrReward)
	_, _, err = wrappers.BuildLive(world(t, "test-stages-v0", nil), r, live)
	require.ErrorIs(t, err, wrappers.ErrReward)
	_, _, err = wrappers.BuildLive(world(t, id, map[string]any{"length": 9}), r, live)
	require.ErrorIs(t, err, wrappers.ErrReward)

	require.NoError(t, live.Use(version(t, world(t, id, nil), 2)))
	require.ErrorIs(t, live.Use(version(t, world(t, id, nil), 2)), wrappers.ErrModel)
	require.ErrorIs(t, live.Use(version(t, world(t, "test-stages-v0", nil), 3)), prefer.ErrWorld)
	assert.Equal(t, 2, live.Version())
}

// Before the first model the rewards are those of none; of add, the team's.
func TestVersionZeroIsNone(t *testing.T) {
	const id = "test-count-v0"
	for scheme, like := range map[string]string{"credit": "none", "sum": "none", "add": "team"} {
		e := buildLive(t, id, map[string]any{"scheme": scheme}, wrappers.NewLive(7, world(t, id, nil), nil))(world(t, id, nil))
		plain := build(t, id, nil, like, nil)(world(t, id, nil))
		f, g := envs.NewFrame(e.Spec()), envs.NewFrame(plain.Spec())
		e.Reset(1, f)
		plain.Reset(1, g)
		for range 6 {
			e.Step(noops(e), f)
			plain.Step(noops(plain), g)
			assert.Equal(t, g.Rewards, f.Rewards, scheme)
			assert.Zero(t, column(e, f, 0, "model_version"))
			assert.Zero(t, column(e, f, 0, "live_failing"))
		}
	}
}

// TestVersionIsFrozenWithinAnEpisode plays at random while models change, and
// saves, restores and copies games on the way: each episode keeps the version
// of its reset, and each difference is that version's, from exactly the value
// that was used on entering the state.
func TestVersionIsFrozenWithinAnEpisode(t *testing.T) {
	const id = "test-uneven-v0"
	bare := world(t, id, nil)
	models := map[int]*prefer.Model{}
	for v := 1; v <= 6; v++ {
		models[v] = version(t, bare, v)
	}
	rapid.Check(t, func(rt *rapid.T) {
		live := wrappers.NewLive(7, bare, func(v int) (*prefer.Model, error) { return models[v], nil })
		live.Want(true)
		w := buildLive(t, id, map[string]any{"scheme": "add", "gamma": 0.5, "terminal": "value"}, live)
		e := w(world(t, id, nil))
		f := envs.NewFrame(e.Spec())
		var frozen int
		var prev []float64
		value := func() []float64 {
			if frozen == 0 {
				return make([]float64, len(e.Spec().Agents))
			}
			return sigmas(e, models[frozen], f)
		}
		reset := func() {
			frozen = live.Version()
			e.Reset(rapid.Uint64().Draw(rt, "seed"), f)
			prev = value()
		}
		reset()
		var rng envs.Rand
		rng.Seed(rapid.Uint64().Draw(rt, "actions"))
		act := envs.NewActions(e.Spec())
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "event") {
			case 0:
				if v := live.Version() + 1; models[v] != nil {
					require.NoError(rt, live.Use(models[v]))
				}
			case 1: // into another game of the labelling, which may be at another version
				s, _ := envs.As[envs.Snapshotter](e)
				twin := w(world(t, id, nil))
				twin.Reset(3, f)
				to, _ := envs.As[envs.Snapshotter](twin)
				require.NoError(rt, to.Restore(s.AppendSnapshot(nil), f))
				e = twin
			case 2:
				c, _ := envs.As[envs.Cloner](e)
				e = c.Clone()
			case 3:
				c, _ := envs.As[envs.Cloner](e)
				twin := w(world(t, id, nil))
				twin.Reset(3, envs.NewFrame(e.Spec()))
				c.CloneInto(twin)
				e = twin
			case 4:
				reset()
			}
			dead := make([]bool, len(prev))
			for i := range dead {
				dead[i] = f.Terminated[i] || f.Truncated[i]
			}
			envs.DrawLegal(e.Spec(), f.Mask, &rng, act)
			e.Step(act, f)
			now := value()
			for i := range now {
				require.EqualValues(rt, frozen, column(e, f, i, "model_version"))
				if dead[i] {
					now[i] = prev[i]
					continue
				}
				want := float32(0.5*float32(now[i])) - float32(prev[i])
				if frozen > 0 {
					want *= float32(0.1 / models[frozen].SD(i))
				}
				require.Equal(rt, want, column(e, f, i, "shaping"), "agent %d", i)
			}
			prev = now
			if f.Ended() {
				reset()
			}
		}
	})
}

func TestSnapshotsOfLiveCredit(t *testing.T) {
	const id = "test-count-v0"
	first := version(t, world(t, id, nil), 1)
	live := wrappers.NewLive(7, world(t, id, nil), nil)
	require.NoError(t, live.Use(first))
	w := buildLive(t, id, map[string]any{"scheme": "credit"}, live)
	e := w(world(t, id, nil))
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	s, _ := envs.As[envs.Snapshotter](e)
	snap := s.AppendSnapshot(nil)

	other := wrappers.NewLive(8, world(t, id, nil), nil)
	require.NoError(t, other.Use(version(t, world(t, id, nil), 1)))
	strange, _ := envs.As[envs.Snapshotter](buildLive(t, id, map[string]any{"scheme": "credit"}, other)(world(t, id, nil)))
	require.ErrorIs(t, strange.Restore(snap, f), envs.ErrSnapshot)
	fitted, _ := envs.As[envs.Snapshotter](build(t, id, nil, "credit", library(t, world(t, id, nil), 1))(world(t, id, nil)))
	require.Error(t, fitted.Restore(snap, f), "a snapshot of live credit isn't one of a fitted model")

	// A version that a game still uses is found although it was superseded; one
	// that nobody uses any more is looked for.
	require.NoError(t, live.Use(version(t, world(t, id, nil), 2)))
	twin, _ := envs.As[envs.Snapshotter](w(world(t, id, nil)))
	require.NoError(t, twin.Restore(snap, f))
	assert.EqualValues(t, 1, column(e, f, 0, "model_version"))
	runtime.KeepAlive(e)
	runtime.KeepAlive(first)

	for _, found := range []error{nil, errors.New("the disk is gone")} {
		asked := 0
		later := wrappers.NewLive(7, world(t, id, nil), func(v int) (*prefer.Model, error) {
			asked = v
			return version(t, world(t, id, nil), v), found
		})
		game, _ := envs.As[envs.Snapshotter](buildLive(t, id, map[string]any{"scheme": "credit"}, later)(world(t, id, nil)))
		err := game.Restore(snap, f)
		assert.Equal(t, 1, asked)
		if found != nil {
			require.ErrorIs(t, err, envs.ErrSnapshot)
			continue
		}
		require.NoError(t, err)
	}
}

func TestSamplingIsBoundedAndEven(t *testing.T) {
	const id = "test-count-v0"
	live := wrappers.NewLive(7, world(t, id, nil), nil)
	w := buildLive(t, id, map[string]any{"scheme": "credit"}, live)
	play := func(e envs.Env, steps int) {
		f := envs.NewFrame(e.Spec())
		e.Reset(0, f)
		for range steps {
			e.Step(noops(e), f)
			if f.Ended() {
				e.Reset(0, f)
			}
		}
	}
	play(w(world(t, id, nil)), 1000)
	assert.Empty(t, live.Drain(), "nothing is kept while nothing is wanted")

	live.Want(true)
	var games sync.WaitGroup
	for range 4 {
		games.Go(func() { play(w(world(t, id, nil)), 50_000) })
	}
	games.Wait()
	got := live.Drain()
	assert.Len(t, got, 256)
	bare := world(t, id, nil)
	snap, _ := envs.As[envs.Snapshotter](bare)
	f := envs.NewFrame(bare.Spec())
	ends := 0
	for _, s := range got {
		require.NoError(t, snap.Restore(s.A, f))
		before := f.State[0]
		require.NoError(t, snap.Restore(s.B, f))
		require.Equal(t, before+1, f.State[0], "b follows a")
		require.Equal(t, f.Ended(), s.Terminal)
		require.Len(t, s.Choice, 2)
		if s.Terminal {
			ends++
		}
	}
	assert.InDelta(t, 256/5, ends, 30, "every step is as likely: one in five ends an episode")

	e := w(world(t, id, nil))
	f = envs.NewFrame(e.Spec())
	e.Reset(0, f)
	act := noops(e)
	play(e, 20_000)
	assert.Zero(t, testing.AllocsPerRun(5000, func() { e.Step(act, f) }), "sampling allocates nothing once warm")

	live.Drain()
	live.Want(false)
	play(e, 1000) // games look again within 256 steps
	live.Drain()
	play(e, 1000)
	assert.Empty(t, live.Drain())
	live.Want(true)
	play(e, 1000)
	assert.NotEmpty(t, live.Drain())
}

func TestFailingShowsInInfo(t *testing.T) {
	const id = "test-count-v0"
	live := wrappers.NewLive(7, world(t, id, nil), nil)
	e := buildLive(t, id, map[string]any{"scheme": "credit"}, live)(world(t, id, nil))
	f := envs.NewFrame(e.Spec())
	e.Reset(0, f)
	live.SetFailing(true)
	e.Step(noops(e), f)
	assert.EqualValues(t, 1, column(e, f, 1, "live_failing"))
	live.SetFailing(false)
	e.Step(noops(e), f)
	assert.EqualValues(t, 0, column(e, f, 1, "live_failing"))
}
