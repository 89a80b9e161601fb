package wrappers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"

	"marlpit/envs"
	"marlpit/shaping/prefer"
)

// Live is what games with live credit share with the labelling that makes their
// model: the model in force, and the transitions they have seen. Each game
// takes the newest model at its reset and keeps it through the episode. Before
// the first model there is version 0: σ is 0 everywhere, so that the replacing
// schemes pay what none pays, and add pays the team reward. It may be used from
// any goroutine.
type Live struct {
	id      uint64
	world   prefer.World
	load    func(version int) (*prefer.Model, error)
	model   atomic.Pointer[prefer.Model] // in force; nil: version 0
	failing atomic.Bool
	sampler sampler

	mu   sync.Mutex
	past map[int]weak.Pointer[prefer.Model] // versions that games may still use
}

// NewLive makes one, at version 0, for games like e. id tells labellings apart:
// a snapshot is restored by games of the one it was taken from only. load finds
// the model of an earlier version that no game uses any more; nil: there is none.
func NewLive(id uint64, e envs.Env, load func(version int) (*prefer.Model, error)) *Live {
	l := &Live{id: id, world: World(e), load: load, past: map[int]weak.Pointer[prefer.Model]{}}
	l.sampler.init(id)
	return l
}

// Use puts a model in force, for episodes that begin from now on. It returns an
// error wrapping prefer.ErrWorld for one of another world, and ErrModel for one
// that isn't newer than the one in force.
func (l *Live) Use(m *prefer.Model) error {
	if err := m.CheckSpec(l.world); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.Version(); m.Header.Version <= now {
		return fmt.Errorf("%w: version %d is to follow version %d", ErrModel, m.Header.Version, now)
	}
	for v, p := range l.past {
		if p.Value() == nil {
			delete(l.past, v)
		}
	}
	l.past[m.Header.Version] = weak.Make(m)
	l.model.Store(m)
	return nil
}

// Model is the one in force, nil before the first.
func (l *Live) Model() *prefer.Model { return l.model.Load() }

// Version is that of the model in force, 0 before the first.
func (l *Live) Version() int { return versionOf(l.model.Load()) }

// SetFailing says whether the critic can't be had at present; games tell it in
// the info column live_failing.
func (l *Live) SetFailing(failing bool) { l.failing.Store(failing) }

func versionOf(m *prefer.Model) int {
	if m == nil {
		return 0
	}
	return m.Header.Version
}

// find returns the model of a version, nil for 0.
func (l *Live) find(version int) (*prefer.Model, error) {
	if version == 0 {
		return nil, nil
	}
	l.mu.Lock()
	m := l.past[version].Value()
	l.mu.Unlock()
	if m != nil {
		return m, nil
	}
	if l.load == nil {
		return nil, errors.New("nobody kept it")
	}
	m, err := l.load(version)
	if err != nil {
		return nil, err
	}
	if err := m.CheckSpec(l.world); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if have := l.past[version].Value(); have != nil {
		return have, nil
	}
	l.past[version] = weak.Make(m)
	return m, nil
}

// BuildLive makes the wrapper of a scheme with live credit: as Build does, with
// the model that live has in force at each reset. The info column live_failing
// is 1 while the critic can't be had. It returns errors wrapping ErrReward.
func BuildLive(template envs.Env, r Reward, live *Live) (envs.Wrapper, map[string]any, error) {
	s, err := findScheme(r.Scheme)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !s.takes("live"):
		return nil, nil, fmt.Errorf("%w: %s takes no live", ErrReward, r.Scheme)
	case s.difference() && r.Form == Replace && r.Terminal == ZeroAtEnd:
		return nil, nil, errConstant
	case !reflect.DeepEqual(World(template), live.world):
		return nil, nil, fmt.Errorf("%w: the labelling is of another world", ErrReward)
	}
	if _, ok := envs.As[envs.Snapshotter](template); !ok {
		return nil, nil, fmt.Errorf("%w: live: %s has no snapshots, so that nothing can be kept of what its games see", ErrReward, template.Spec().ID)
	}
	src := source{live: live, of: func(e envs.Env) sigma { return newLiveSigma(e, live, r.factor()) }}
	inner := ofDifferences(src, r)
	resolved := r.Options()
	delete(resolved, "model") // it is the labelling's
	resolved["model_version"] = live.Version()
	return func(e envs.Env) envs.Env { return Stats(inner(live.sampled(e))) }, resolved, nil
}

// liveSigma is the sigma of one game whose model changes between episodes.
type liveSigma struct {
	live   *Live
	env    envs.Env
	model  *prefer.Model // in force in this episode; nil: version 0
	inner  sigma         // of the model
	factor float64       // of differences, in units of sd
	times  []float32     // (agents,) factor/sd, 0 where σ is flat
}

func newLiveSigma(e envs.Env, live *Live, factor float64) *liveSigma {
	return &liveSigma{live: live, env: e, factor: factor, times: make([]float32, len(e.Spec().Agents))}
}

// use takes a model for the episode. It allocates only where that is another
// one than before.
func (s *liveSigma) use(m *prefer.Model) {
	if m == s.model {
		return
	}
	s.model = m
	if m == nil {
		clear(s.times)
		return
	}
	src := fittedSource(m)
	s.inner = src.of(s.env)
	copy(s.times, src.multipliers(s.factor))
}

func (s *liveSigma) read(state, dst []float32) {
	if s.model == nil {
		clear(dst)
		return
	}
	s.inner.read(state, dst)
}

func (s *liveSigma) version() float32 { return float32(versionOf(s.model)) }

// liveState is the bytes of a snapshot that say which model is in force: the
// labelling's id and the version.
const liveState = 8 + 4

func (s *liveSigma) appendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, s.live.id)
	return binary.LittleEndian.AppendUint32(dst, uint32(versionOf(s.model)))
}

// stateModel reads those bytes and finds the model.
func (s *liveSigma) stateModel(b []byte) (m *prefer.Model, rest []byte, err error) {
	if len(b) < liveState {
		return nil, nil, fmt.Errorf("%w: it ends within the part of the reward scheme", envs.ErrSnapshot)
	}
	if binary.LittleEndian.Uint64(b) != s.live.id {
		return nil, nil, fmt.Errorf("%w: its rewards are of another labelling", envs.ErrSnapshot)
	}
	version := binary.LittleEndian.Uint32(b[8:])
	if m, err = s.live.find(int(version)); err != nil {
		return nil, nil, fmt.Errorf("%w: its model, version %d, can't be had: %w", envs.ErrSnapshot, version, err)
	}
	return m, b[liveState:], nil
}
