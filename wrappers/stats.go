package wrappers

import (
	"encoding/binary"
	"fmt"
	"math"

	"marlpit/envs"
)

// stats counts what an episode has come to.
type stats struct {
	base
	length []uint32  // (agents,) steps the agent has played
	own    []float64 // (agents,) sum of its rewards
	team   float64   // the episode's return
}

// Stats adds the info columns episode_length (steps the agent has played),
// episode_team_return (the game's own return so far, the same for all: of a
// shared reward one agent's, of individual ones the sum over agents) and
// episode_return (the sum of the agent's rewards, as a learner gets them). They
// run with the episode and keep their last values at its end.
func Stats(e envs.Env) envs.Env {
	n := len(e.Spec().Agents)
	return able(&stats{
		base:   newBase(e, "episode_length", "episode_team_return", "episode_return"),
		length: make([]uint32, n), own: make([]float64, n),
	})
}

// Reset implements envs.Env.
func (s *stats) Reset(seed uint64, out *envs.Frame) {
	s.reset(seed, out)
	clear(s.length)
	clear(s.own)
	s.team = 0
	s.write(out)
}

// Step implements envs.Env.
func (s *stats) Step(a envs.Actions, out *envs.Frame) {
	s.step(a, out)
	counted := false
	for i, dead := range s.dead {
		if dead {
			continue
		}
		s.length[i]++
		s.own[i] += float64(out.Rewards[i])
		if !s.spec.Team || !counted {
			s.team += float64(out.Team[i])
			counted = true
		}
	}
	s.write(out)
	s.remember(out)
}

func (s *stats) write(out *envs.Frame) {
	for i := range s.dead {
		k := s.column(i, 0)
		out.Info[k], out.Info[k+1], out.Info[k+2] = float32(s.length[i]), float32(s.team), float32(s.own[i])
	}
}

const (
	statsTag   = 's'
	maxReturn  = 1e15 // absolute value of a return in a snapshot
	statsAgent = 12   // bytes of one agent
)

// AppendSnapshot implements envs.Snapshotter.
func (s *stats) AppendSnapshot(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(append(dst, statsTag), math.Float64bits(s.team))
	for i, n := range s.length {
		dst = binary.LittleEndian.AppendUint32(dst, n)
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(s.own[i]))
	}
	inner, _ := envs.As[envs.Snapshotter](s.env)
	return inner.AppendSnapshot(dst)
}

// Restore implements envs.Snapshotter.
func (s *stats) Restore(snapshot []byte, out *envs.Frame) error {
	size := 9 + statsAgent*len(s.own)
	if len(snapshot) < size || snapshot[0] != statsTag {
		return fmt.Errorf("%w: without the statistics of its episode", envs.ErrSnapshot)
	}
	agents := snapshot[9:size]
	for i := -1; i < len(s.own); i++ {
		at := 1
		if i >= 0 {
			at = 13 + statsAgent*i
		}
		if v := floatAt(snapshot, at); !(math.Abs(v) <= maxReturn) {
			return fmt.Errorf("%w: a return of %v", envs.ErrSnapshot, v)
		}
	}
	if err := s.restore(snapshot[size:], out); err != nil {
		return err
	}
	s.team = floatAt(snapshot, 1)
	for i := range s.own {
		s.length[i] = binary.LittleEndian.Uint32(agents[statsAgent*i:])
		s.own[i] = floatAt(agents, statsAgent*i+4)
	}
	s.write(out)
	return nil
}

func floatAt(b []byte, at int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
}

// Clone implements envs.Cloner.
func (s *stats) Clone() envs.Env {
	d := *s
	d.base = s.base.cloned()
	d.length = append([]uint32(nil), s.length...)
	d.own = append([]float64(nil), s.own...)
	return &d
}

// CloneInto implements envs.Cloner.
func (s *stats) CloneInto(dst envs.Env) {
	d := dst.(*stats)
	s.base.cloneInto(&d.base)
	copy(d.length, s.length)
	copy(d.own, s.own)
	d.team = s.team
}
