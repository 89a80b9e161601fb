package study_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping"
	"marlpit/shaping/shapingtest"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// oracleCritic knows exact credit.
var oracleCritic = study.LiveCritic{Name: "oracle", Kind: "oracle", Build: func(study.CriticDeps) (shaping.Critic, error) {
	return shaping.NewOracle(0, "", 0)
}}

// liveTest is a folder of labellings with the line world and two-switch.
func liveTest(t *testing.T, dir string, more func(*study.LiveConfig), critics ...study.LiveCritic) *study.Labelings {
	t.Helper()
	cfg := study.LiveConfig{
		Dir: dir, Registry: envs.NewRegistry(append(catalog.All(), lineEntry)...), Critics: append(critics, oracleCritic),
		CreatedBy: "test", Poll: 2 * time.Millisecond, Retry: 5 * time.Millisecond,
	}
	if more != nil {
		more(&cfg)
	}
	l, err := study.OpenLabelings(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close(context.Background())) })
	return l
}

func options(t *testing.T, critic string, more map[string]any) wrappers.LiveOptions {
	t.Helper()
	live := map[string]any{"critic": critic}
	for k, v := range more {
		live[k] = v
	}
	r, err := wrappers.ParseReward(map[string]any{"scheme": "credit", "live": live})
	require.NoError(t, err)
	return *r.Live
}

// player is a session: a game with live credit, played at random.
type player struct {
	t     testing.TB
	x     *study.Labeling
	e     envs.Env
	f     *envs.Frame
	act   envs.Actions
	rng   envs.Rand
	seed  uint64
	steps int
}

func join(t *testing.T, l *study.Labelings, id string, params map[string]any, opt wrappers.LiveOptions) *player {
	t.Helper()
	entry, err := envs.NewRegistry(append(catalog.All(), lineEntry)...).Find(id)
	require.NoError(t, err)
	x, err := l.Join(entry, params, opt)
	require.NoError(t, err)
	e, err := entry.New(params)
	require.NoError(t, err)
	w, _, err := wrappers.BuildLive(e, wrappers.Reward{Scheme: "credit", Scale: 0.1, Gamma: 1, Form: "replace", Terminal: "value"}, x.Live())
	require.NoError(t, err)
	p := &player{t: t, x: x, e: w(e)}
	p.f, p.act = envs.NewFrame(p.e.Spec()), envs.NewActions(p.e.Spec())
	p.rng.Seed(1)
	p.e.Reset(0, p.f)
	return p
}

// play steps at random, checking that no episode changes its version.
func (p *player) play(steps int) {
	s := p.e.Spec()
	at := s.InfoColumn("model_version")
	for range steps {
		before := p.f.Info[at]
		envs.DrawLegal(s, p.f.Mask, &p.rng, p.act)
		p.e.Step(p.act, p.f)
		p.steps++
		for i := range s.Agents {
			require.Equal(p.t, before, p.f.Info[i*len(s.Info)+at])
		}
		if p.f.Ended() {
			p.seed++
			p.e.Reset(p.seed, p.f)
		}
	}
}

// until plays until the labelling is as wanted.
func (p *player) until(want func(study.LiveProgress) bool) study.LiveProgress {
	p.t.Helper()
	for start := time.Now(); time.Since(start) < 150*time.Second; {
		p.play(200)
		if now := p.x.Progress(); want(now) {
			return now
		}
		time.Sleep(time.Millisecond)
	}
	require.Fail(p.t, "not reached", "%+v", p.x.Progress())
	return study.LiveProgress{}
}

func state(s study.LiveState) func(study.LiveProgress) bool {
	return func(p study.LiveProgress) bool { return p.State == s }
}

func TestLiveLearnsFromWhatSessionsSee(t *testing.T) {
	l := liveTest(t, t.TempDir(), nil)
	p := join(t, l, "two-switch-v1", nil, options(t, "oracle", map[string]any{"transitions": 300, "refit_every": 200}))
	done := p.until(state("done"))
	assert.Less(t, p.steps, 400_000)
	assert.Equal(t, 300, done.Kept)
	assert.GreaterOrEqual(t, done.Seen, done.Kept)
	assert.Equal(t, []int{600, 600, 0, 0, 0}, []int{done.Asked, done.Valid, done.Invalid, done.Failed, done.Open})
	assert.GreaterOrEqual(t, done.ModelVersion, 3)
	assert.Zero(t, done.Requests)
	assert.Greater(t, done.HeldOut.N, 40)
	assert.Greater(t, done.HeldOut.Accuracy, 0.65)
	assert.Greater(t, done.HeldOut.Low, 0.55)

	// Against exact credit, on transitions that it has never seen.
	entry, err := catalog.All().Find("two-switch-v1")
	require.NoError(t, err)
	fresh, err := study.Collect(context.Background(), entry, nil, study.CollectOptions{Transitions: 300, Seed: 77, Steps: 200})
	require.NoError(t, err)
	db, err := votes.Create(context.Background(), filepath.Join(t.TempDir(), "fresh.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Add(context.Background(), fresh.World, fresh.Collection, fresh.Transitions)
	require.NoError(t, err)
	examples, err := db.Examples(context.Background(), false)
	require.NoError(t, err)
	score := study.ScoreModel(p.x.Live().Model(), examples, fresh.World.Agents, false)[0]
	assert.Greater(t, score.Accuracy, 0.7)
}

func TestSessionsWithEqualOptionsShare(t *testing.T) {
	l := liveTest(t, "", nil)
	opt := options(t, "oracle", map[string]any{"transitions": 40})
	var all [2]*player
	for i := range all {
		all[i] = join(t, l, "line-v1", nil, opt)
	}
	assert.Same(t, all[0].x, all[1].x)
	assert.Equal(t, 2, all[0].x.Progress().Sessions)
	for _, other := range []*player{
		join(t, l, "line-v1", map[string]any{"length": 8}, opt),
		join(t, l, "line-v1", nil, options(t, "oracle", map[string]any{"transitions": 41})),
		join(t, l, "line-v1", nil, options(t, "oracle", map[string]any{"transitions": 40, "viewpoint": "plain"})),
	} {
		assert.NotEqual(t, all[0].x.ID(), other.x.ID())
	}
	assert.Same(t, all[0].x, join(t, l, "line-v1", nil, options(t, "oracle", map[string]any{"transitions": 40, "viewpoint": "guided"})).x)
	assert.Len(t, l.List(), 4)
	all[0].until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
	all[1].e.Reset(5, all[1].f)
	assert.Positive(t, all[1].f.Info[all[1].e.Spec().InfoColumn("model_version")], "what one saw serves the other")
}

func TestLiveRefusals(t *testing.T) {
	wordless := oracleCritic
	wordless.Name, wordless.Kind = "reader", "openai"
	broken := study.LiveCritic{Name: "broken", Kind: "openai", Build: func(study.CriticDeps) (shaping.Critic, error) { return nil, errors.New("no file") }}
	l := liveTest(t, t.TempDir(), func(c *study.LiveConfig) { c.Most = 1 }, wordless, broken)
	for _, c := range []struct{ critic, says string }{
		{"nobody", "the server has no critic \"nobody\": there are reader, broken, oracle; serve --critics FILE adds some"},
		{"broken", "the server can't use its critic broken; its log says why"},
	} {
		_, err := l.Join(lineEntry, nil, options(t, c.critic, nil))
		require.ErrorIs(t, err, wrappers.ErrReward)
		assert.ErrorContains(t, err, c.says)
	}
	_, err := l.Join(lineEntry, map[string]any{"length": 1}, options(t, "oracle", nil))
	require.ErrorIs(t, err, envs.ErrParams)

	first := join(t, l, "line-v1", nil, options(t, "oracle", nil))
	_, err = l.Join(lineEntry, nil, options(t, "oracle", map[string]any{"seed": 1}))
	require.ErrorIs(t, err, study.ErrLabelings)
	first.x.Leave()
	second := join(t, l, "line-v1", nil, options(t, "oracle", map[string]any{"seed": 1}))
	_, err = l.Find(first.x.ID())
	require.ErrorIs(t, err, study.ErrNoLabeling, "the one without sessions made room")
	second.x.Leave()
	again := join(t, l, "line-v1", nil, options(t, "oracle", nil))
	assert.Equal(t, first.x.ID(), again.x.ID())
}

func TestLiveGoesOnAfterARestart(t *testing.T) {
	dir := t.TempDir()
	l := liveTest(t, dir, nil)
	opt := options(t, "oracle", map[string]any{"transitions": 4000, "refit_every": 60})
	p := join(t, l, "two-switch-v1", nil, opt)
	before := p.until(func(p study.LiveProgress) bool { return p.ModelVersion >= 2 })
	if runtime.GOOS != "windows" {
		_, err := study.OpenLabelings(study.LiveConfig{Dir: dir})
		require.ErrorContains(t, err, "another server uses")
	}
	require.NoError(t, l.Close(context.Background()))
	before = p.x.Progress()

	l = liveTest(t, dir, nil)
	list := l.List()
	require.Len(t, list, 1)
	assert.Equal(t, study.LiveState("waiting"), list[0].State)
	assert.Equal(t, before.ID, list[0].ID)
	assert.Equal(t, []int{before.Kept, before.Asked, before.Valid, before.Tie, before.ModelVersion},
		[]int{list[0].Kept, list[0].Asked, list[0].Valid, list[0].Tie, list[0].ModelVersion})
	assert.Equal(t, before.HeldOut, list[0].HeldOut)
	time.Sleep(20 * time.Millisecond)
	assert.Equal(t, before.Asked, l.List()[0].Asked, "nobody is asked until a session wants it")
	q := join(t, l, "two-switch-v1", nil, opt)
	assert.Equal(t, before.ID, q.x.ID())
	assert.EqualValues(t, before.ModelVersion, q.f.Info[q.e.Spec().InfoColumn("model_version")])
	q.until(func(p study.LiveProgress) bool { return p.ModelVersion > before.ModelVersion })

	require.NoError(t, os.WriteFile(filepath.Join(dir, "labelings", "stray"), nil, 0o600))
}

func TestDamagedFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	l := liveTest(t, dir, nil)
	opt := options(t, "oracle", map[string]any{"refit_every": 60})
	p := join(t, l, "two-switch-v1", nil, opt)
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
	require.NoError(t, l.Close(context.Background()))
	last := p.x.Progress()
	folder := filepath.Join(dir, "labelings", last.ID)
	entry, err := envs.NewRegistry(catalog.All()...).Find("two-switch-v1")
	require.NoError(t, err)
	for name, change := range map[string]func([]byte) []byte{
		"labeling.json": func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"refit_every": 60`), []byte(`"refit_every": -6`), 1)
		},
		"votes.db": func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) },
	} {
		path := filepath.Join(folder, name)
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, change(bytes.Clone(whole)), 0o600))
		l := liveTest(t, dir, nil)
		assert.Empty(t, l.List(), name)
		_, err = l.Join(entry, nil, opt)
		require.ErrorIs(t, err, study.ErrUnusable, name)
		assert.NotContains(t, err.Error(), dir, "who asks isn't told where files are")
		require.NoError(t, l.Close(context.Background()))
		require.NoError(t, os.WriteFile(path, whole, 0o600))
	}
	half := filepath.Join(folder, ".new-123")
	require.NoError(t, os.WriteFile(half, nil, 0o600))
	l = liveTest(t, dir, nil)
	require.Len(t, l.List(), 1)
	require.NoFileExists(t, half, "what a kill has left of a file is dropped")
	again := join(t, l, "two-switch-v1", nil, opt)
	snap, _ := envs.As[envs.Snapshotter](again.e)
	b := snap.AppendSnapshot(nil)
	id, err := strconv.ParseUint(last.ID, 16, 64)
	require.NoError(t, err)
	at := bytes.Index(b, binary.LittleEndian.AppendUint64(nil, id))
	require.Positive(t, at)
	b[at+8+3] = 1 // a version far away
	err = snap.Restore(b, again.f)
	require.ErrorIs(t, err, envs.ErrSnapshot)
	require.ErrorContains(t, err, "can't be had: there is none; of each labelling the newest 8 are kept")
	assert.NotContains(t, err.Error(), dir)
}

// modelFiles lists the models of a labelling's folder.
func modelFiles(t *testing.T, folder string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, "model-*.credit"))
	require.NoError(t, err)
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	return all
}

func TestADamagedModelGivesWayToAnOlderOne(t *testing.T) {
	dir := t.TempDir()
	opt := options(t, "oracle", map[string]any{"refit_every": 60, "transitions": 4000})
	l := liveTest(t, dir, nil)
	p := join(t, l, "two-switch-v1", nil, opt)
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion >= 3 })
	require.NoError(t, l.Close(context.Background()))
	last := p.x.Progress()
	folder := filepath.Join(dir, "labelings", last.ID)
	reopen := func() (*study.Labelings, map[string]error) {
		said := map[string]error{}
		l := liveTest(t, dir, func(c *study.LiveConfig) {
			c.Told = func(_, what string, err error) {
				if err != nil {
					said[what] = err
				}
			}
		})
		return l, said
	}

	path := filepath.Join(folder, fmt.Sprintf("model-%06d.credit", last.ModelVersion))
	require.NoError(t, os.Truncate(path, 100))
	l, said := reopen()
	require.Len(t, l.List(), 1)
	assert.Equal(t, last.ModelVersion-1, l.List()[0].ModelVersion)
	require.Len(t, said, 1)
	require.ErrorContains(t, said[path+" can't be used; an older model is in force, or none, until the next"], "ends within the header")
	q := join(t, l, "two-switch-v1", nil, opt)
	next := q.until(func(p study.LiveProgress) bool { return p.ModelVersion >= last.ModelVersion })
	assert.Greater(t, next.ModelVersion, last.ModelVersion, "a number that snapshots may name isn't given twice")
	require.NoError(t, l.Close(context.Background()))

	all := modelFiles(t, folder)
	for _, name := range all {
		require.NoError(t, os.Truncate(filepath.Join(folder, name), 100))
	}
	l, said = reopen()
	assert.Len(t, said, len(all))
	require.Len(t, l.List(), 1)
	assert.Zero(t, l.List()[0].ModelVersion)
	again := join(t, l, "two-switch-v1", nil, opt)
	again.until(func(p study.LiveProgress) bool { return p.ModelVersion > q.x.Progress().ModelVersion })
}

func TestOldModelsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	l := liveTest(t, dir, nil)
	p := join(t, l, "two-switch-v1", nil, options(t, "oracle", map[string]any{"refit_every": 40, "transitions": 4000}))
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion >= 10 })
	require.NoError(t, p.x.Cancel())
	require.NoError(t, l.Close(context.Background()))
	last := p.x.Progress()
	var want []string
	for v := last.ModelVersion - 7; v <= last.ModelVersion; v++ {
		want = append(want, fmt.Sprintf("model-%06d.credit", v))
	}
	assert.Equal(t, want, modelFiles(t, filepath.Join(dir, "labelings", last.ID)))
}

// A critic that hangs holds nobody up who needs the place of its labelling.
func TestRoomIsMadeWhileACriticHangs(t *testing.T) {
	asked := make(chan struct{}, 100)
	hangs := study.LiveCritic{Name: "hangs", Kind: "openai", Build: func(study.CriticDeps) (shaping.Critic, error) {
		return hanging{asked}, nil
	}}
	l := liveTest(t, "", func(c *study.LiveConfig) { c.Most = 1 }, hangs)
	p := join(t, l, "two-switch-v1", nil, options(t, "hangs", nil))
	for len(asked) == 0 {
		p.play(100)
	}
	p.x.Leave()
	start := time.Now()
	join(t, l, "two-switch-v1", nil, options(t, "oracle", nil))
	assert.Less(t, time.Since(start), 10*time.Second)
}

// hanging answers nobody.
type hanging struct{ asked chan struct{} }

func (hanging) Name() string { return "hangs" }

func (h hanging) Ask(ctx context.Context, _ shaping.Question) (shaping.Answer, error) {
	h.asked <- struct{}{}
	<-ctx.Done()
	return shaping.Answer{}, ctx.Err()
}

func TestLiveCancel(t *testing.T) {
	dir := t.TempDir()
	l := liveTest(t, dir, nil)
	opt := options(t, "oracle", map[string]any{"refit_every": 60})
	p := join(t, l, "two-switch-v1", nil, opt)
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
	require.NoError(t, p.x.Cancel())
	require.NoError(t, p.x.Cancel(), "twice is once")
	time.Sleep(50 * time.Millisecond) // what was under way
	at := p.x.Progress()
	assert.Equal(t, study.LiveState("stopped"), at.State)
	p.play(5000)
	time.Sleep(20 * time.Millisecond)
	p.play(1)
	now := p.x.Progress()
	assert.Equal(t, []int{at.Asked, at.ModelVersion, at.Kept}, []int{now.Asked, now.ModelVersion, now.Kept})
	p.e.Reset(9, p.f)
	assert.EqualValues(t, at.ModelVersion, p.f.Info[p.e.Spec().InfoColumn("model_version")], "the last model stays in force")

	require.NoError(t, l.Close(context.Background()))
	l = liveTest(t, dir, nil)
	q := join(t, l, "two-switch-v1", nil, opt)
	q.play(2000)
	assert.Equal(t, study.LiveState("stopped"), q.x.Progress().State, "after a restart, too")
	assert.Equal(t, at.ModelVersion, q.x.Progress().ModelVersion)
}

// scripted is a critic by name whose answers a test chooses.
func scripted(say func(shaping.Question) (shaping.Answer, error)) study.LiveCritic {
	return study.LiveCritic{Name: "scripted", Kind: "oracle", Build: func(study.CriticDeps) (shaping.Critic, error) {
		return &shapingtest.Scripted{Say: say}, nil
	}}
}

func byTruth(q shaping.Question) (shaping.Answer, error) {
	switch {
	case q.Truth > 0:
		return shaping.Answer{Vote: shaping.Second, Confidence: 1}, nil
	case q.Truth < 0:
		return shaping.Answer{Vote: shaping.First, Confidence: 0}, nil
	}
	return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
}

func TestADeadCriticLeavesTheLastModelInForce(t *testing.T) {
	var dead atomic.Bool
	var told, outcomes sync.Map
	l := liveTest(t, t.TempDir(), func(c *study.LiveConfig) {
		c.Told = func(_, what string, err error) { told.Store(what, err) }
		c.Called = func(critic, outcome string) { outcomes.Store(critic+" "+outcome, true) }
	}, scripted(func(q shaping.Question) (shaping.Answer, error) {
		if dead.Load() {
			return shaping.Answer{}, errors.New("connection refused")
		}
		return byTruth(q)
	}))
	p := join(t, l, "two-switch-v1", nil, options(t, "scripted", map[string]any{"refit_every": 60}))
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
	dead.Store(true)
	down := p.until(func(p study.LiveProgress) bool { return p.Failing && p.State == "waiting" && p.Failed >= 3 })
	assert.Equal(t, "the critic can't be had; the server's log says more", down.Reason)
	p.e.Reset(1, p.f)
	assert.EqualValues(t, down.ModelVersion, p.f.Info[p.e.Spec().InfoColumn("model_version")])
	assert.EqualValues(t, 1, p.f.Info[p.e.Spec().InfoColumn("live_failing")])
	dead.Store(false)
	up := p.until(func(q study.LiveProgress) bool { return q.ModelVersion > down.ModelVersion && !q.Failing })
	p.play(1)
	assert.Zero(t, p.f.Info[p.e.Spec().InfoColumn("live_failing")])
	assert.Greater(t, up.Asked, down.Asked)
	reason, ok := told.Load("failing; the last model stays in force")
	require.True(t, ok)
	assert.ErrorContains(t, reason.(error), "connection refused")
	_, ok = told.Load("the critic answers again")
	assert.True(t, ok)
	for _, o := range []string{"scripted ok", "scripted failed"} {
		_, ok := outcomes.Load(o)
		assert.True(t, ok, o)
	}
}

// fatal is an error that ends a labelling.
type fatal struct{ error }

func (fatal) Fatal() bool { return true }

func TestAFatalErrorEndsItUntilTheNextSession(t *testing.T) {
	var dead atomic.Bool
	dead.Store(true)
	l := liveTest(t, t.TempDir(), nil, scripted(func(q shaping.Question) (shaping.Answer, error) {
		if dead.Load() {
			return shaping.Answer{}, fatal{errors.New("401: no such key")}
		}
		return byTruth(q)
	}))
	p := join(t, l, "line-v1", nil, options(t, "scripted", nil))
	over := p.until(state("failed"))
	assert.Contains(t, over.Reason, "the server's log says more")
	assert.NotContains(t, over.Reason, "401")
	assert.Zero(t, over.ModelVersion)
	p.play(500)
	assert.Equal(t, study.LiveState("failed"), p.x.Progress().State)
	dead.Store(false)
	q := join(t, l, "line-v1", nil, options(t, "scripted", nil))
	q.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 && !p.Failing })
}

func TestAPanicEndsTheLabellingAlone(t *testing.T) {
	l := liveTest(t, t.TempDir(), nil, scripted(func(shaping.Question) (shaping.Answer, error) { panic("a bug") }))
	p := join(t, l, "line-v1", nil, options(t, "scripted", nil))
	over := p.until(state("failed"))
	assert.Equal(t, "the critic can't be had; the server's log says more", over.Reason)
	assert.True(t, over.Failing)
	other := join(t, l, "line-v1", nil, options(t, "oracle", nil))
	other.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 })
}

func TestInvalidAnswersAreCounted(t *testing.T) {
	n := 0
	l := liveTest(t, t.TempDir(), nil, scripted(func(q shaping.Question) (shaping.Answer, error) {
		if n++; n%2 == 0 {
			return shaping.Answer{Vote: shaping.Invalid, Reason: "mumbling"}, nil
		}
		return byTruth(q)
	}))
	p := join(t, l, "two-switch-v1", nil, options(t, "scripted", map[string]any{"transitions": 100, "refit_every": 40}))
	done := p.until(state("done"))
	assert.Equal(t, []int{200, 100, 100}, []int{done.Asked, done.Valid, done.Invalid})
}

func TestTiesAloneMakeNoModel(t *testing.T) {
	var decides atomic.Bool
	l := liveTest(t, t.TempDir(), nil, scripted(func(q shaping.Question) (shaping.Answer, error) {
		if decides.Load() {
			return byTruth(q)
		}
		return shaping.Answer{Vote: shaping.Tie, Confidence: 0.5}, nil
	}))
	onlyTies := func(s study.LiveState) func(study.LiveProgress) bool {
		return func(p study.LiveProgress) bool { return p.State == s && p.Reason == "every vote so far is a tie" }
	}
	p := join(t, l, "two-switch-v1", nil, options(t, "scripted", map[string]any{"transitions": 60, "refit_every": 40}))
	done := p.until(onlyTies("done"))
	assert.Equal(t, []int{120, 120, 0}, []int{done.Asked, done.Tie, done.ModelVersion}, "60 of two agents")

	p = join(t, l, "two-switch-v1", nil, options(t, "scripted", map[string]any{"transitions": 4000, "refit_every": 40}))
	waits := p.until(onlyTies("waiting"))
	assert.Zero(t, waits.ModelVersion)
	decides.Store(true)
	p.until(func(p study.LiveProgress) bool { return p.ModelVersion > 0 && p.Reason != "every vote so far is a tie" })
}
