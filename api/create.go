package api

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
	"marlpit/envs"
)

func (s *Server) createSession(c *fiber.Ctx) error {
	r, err := s.body(c)
	if err != nil {
		return err
	}
	q, err := readCreate(&r)
	if err != nil {
		return err
	}
	if !q.hasSeed {
		if q.seed, err = drawSeed(); err != nil {
			return err
		}
	}
	x, err := s.build(q)
	if err != nil {
		return err
	}
	return s.created(c, x)
}

// created makes a session known and writes the reply of its creation.
func (s *Server) created(c *fiber.Ctx, x *session) error {
	reply := x.describe(s.cfg.Version, false)
	s.sessions.put(x)
	s.metrics.created.Inc()
	s.cfg.Log.Info().Str("session", x.view).Str("env", x.env).Int("num_envs", x.pool.Len()).Msg("session created")
	return s.send(c, 201, reply)
}

// drawSeed draws a seed that every JSON reader can hold: below 2⁵³.
func drawSeed() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, fmt.Errorf("%w: no randomness: %w", errInternal, err)
	}
	return binary.LittleEndian.Uint64(b[:]) >> 11, nil
}

// build makes a session with a place in the store, not yet known there.
func (s *Server) build(q createRequest) (x *session, err error) {
	if err := s.sessions.reserve(); err != nil {
		return nil, err
	}
	defer func() {
		if v := recover(); v != nil {
			err = &pool.Failure{Row: -1, Value: v, Stack: debug.Stack()}
		}
		if err != nil {
			s.sessions.unreserve()
		}
	}()
	entry, err := s.cfg.Registry.Find(q.env)
	if err != nil {
		return nil, &refusal{kind: err, at: "/env", message: err.Error()}
	}
	template, err := entry.New(q.params)
	if err != nil {
		return nil, &refusal{kind: err, at: "/params", message: err.Error()}
	}
	if err := s.checkSize(template.Spec(), q); err != nil {
		return nil, err
	}
	if q.text && !canDescribe(template) && !canExplain(template) {
		return nil, refuse(errNoAbility, "/text", "%s has no words", q.env)
	}
	reward, err := s.buildReward(entry, template, q)
	if err != nil {
		return nil, &refusal{kind: err, at: "/reward", message: err.Error()}
	}
	defer func() {
		if reward.lease != nil && x == nil {
			reward.lease.Leave()
		}
	}()
	p, err := pool.New(pool.Config{
		Make: func() (envs.Env, error) { return newRow(entry, q.params, template, reward.wrap) },
		N:    q.numEnvs, Seed: q.seed, Mode: q.mode, Workers: reward.waits, Waits: reward.waits > 0,
	})
	if err != nil {
		return nil, err
	}
	made := s.assemble(q, p, reward.resolved, reward.lease)
	if q.record != "" {
		if made.record, err = s.newRecorder(made); err != nil {
			p.Stop()
			return nil, err
		}
	}
	return made, nil
}

// newRow makes one row's environment: a copy of the template where it can be
// copied, since copies share what is slow to build.
func newRow(entry envs.Entry, params map[string]any, template envs.Env, wrap envs.Wrapper) (envs.Env, error) {
	if c, ok := template.(envs.Cloner); ok {
		return wrap(c.Clone()), nil
	}
	e, err := entry.New(params)
	if err != nil {
		return nil, err
	}
	return wrap(e), nil
}

// assemble puts a session around a pool.
func (s *Server) assemble(q createRequest, p *pool.Pool, resolved map[string]any, shares lease) *session {
	x := &session{
		id: s.sessions.newID('s'), view: s.sessions.newID('v'), env: q.env, started: time.Now(),
		pool: p, spec: p.Spec(), request: q, reward: resolved, lease: shares, done: make(chan struct{}),
	}
	x.arrays, x.finals = newArrays(p, q.arrays)
	x.actions = newActionMemory(p.Spec(), p.Len())
	if q.text {
		x.notes = newNoteMemory(p.Len())
		p.Watch(x.notes.last)
		if canDescribe(p.Env(0)) {
			x.words = newWordMemory(p)
		}
	}
	return x
}

// checkSize refuses a session whose arrays would be larger than the server
// allows.
func (s *Server) checkSize(spec *envs.Spec, q createRequest) error {
	agents := int64(len(spec.Agents))
	obs := int64(spec.ObsSize()) * agents
	if spec.ObsDtype() == envs.Float32 {
		obs *= 4
	}
	frame := obs + agents*int64(spec.Choices()) + 4*int64(spec.State.Size()) + agents*(4+4+4*int64(len(spec.Info)+8)+2)
	if q.mode == pool.SameStep {
		frame *= 2
	}
	row := frame + 4*agents*int64(spec.ActionDims()) + 1024 // the environment itself and its place in the pool
	if most := s.cfg.MaxSessionBytes / row; int64(q.numEnvs) > most {
		return refuse(errTooLarge, "/num_envs", "%d copies of %s need about %d bytes, this server allows %d: at most %d copies",
			q.numEnvs, q.env, row*int64(q.numEnvs), s.cfg.MaxSessionBytes, most)
	}
	return nil
}
