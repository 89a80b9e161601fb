package wrappers

import (
	"encoding/binary"
	"fmt"
	"math"

	"marlpit/envs"
)

// shaped is what the wrappers of schemes share: bonus and cost, and the columns
// shaping and model_version.
type shaped struct {
	base
	bonus, cost float32
	version     float32
	last        []float32 // (agents,) the column shaping
	live        *Live     // where the model changes between episodes; else nil
}

func newShaped(e envs.Env, r Reward, version int, more ...string) shaped {
	return shaped{
		base: newBase(e, append([]string{"shaping", "model_version"}, more...)...), version: float32(version),
		bonus: float32(r.Bonus), cost: float32(r.StepCost), last: make([]float32, len(e.Spec().Agents)),
	}
}

// quiet writes the frame of a reset: no reward, no shaping.
func (s *shaped) quiet(out *envs.Frame) {
	for i := range s.dead {
		out.Rewards[i] = 0
		s.note(out, i, 0)
	}
}

func (s *shaped) note(out *envs.Frame, agent int, shaping float32) {
	k := s.column(agent, 0)
	s.last[agent] = shaping
	out.Info[k], out.Info[k+1] = shaping, s.version
	if s.live != nil {
		out.Info[k+2] = 0
		if s.live.failing.Load() {
			out.Info[k+2] = 1
		}
	}
}

// replace writes an agent's reward (shaping + bonus) − cost; 0 for one that had ended.
func (s *shaped) replace(out *envs.Frame, agent int, shaping float32) {
	if s.dead[agent] {
		out.Rewards[agent] = 0
		s.note(out, agent, 0)
		return
	}
	r := shaping
	if !s.won[agent] && s.success(agent) {
		r += s.bonus
	}
	out.Rewards[agent] = r - s.cost
	s.note(out, agent, shaping)
}

// maxShaping bounds |shaping| in a snapshot.
const maxShaping = 1e15

// appendState appends a tag and the column shaping, which a restored frame has
// as it was.
func (s *shaped) appendState(dst []byte, tag byte) []byte {
	return appendFloats(append(dst, tag), s.last)
}

// checkState checks that part of a snapshot and returns the rest.
func (s *shaped) checkState(b []byte, tag byte) (rest []byte, err error) {
	if len(b) == 0 || b[0] != tag {
		return nil, fmt.Errorf("%w: not of this reward scheme", envs.ErrSnapshot)
	}
	return checkFloats(b[1:], len(s.last), maxShaping)
}

// setState takes the part that checkState has passed, and writes what a frame
// after Restore has: no reward, the columns as they were.
func (s *shaped) setState(b []byte, out *envs.Frame) {
	for i := range s.last {
		out.Rewards[i] = 0
		s.note(out, i, floatOf(b[1:], i))
	}
}

func (s *shaped) cloned() shaped {
	c := *s
	c.base = s.base.cloned()
	c.last = append([]float32(nil), s.last...)
	return c
}

func (s *shaped) cloneInto(dst *shaped) {
	s.base.cloneInto(&dst.base)
	copy(dst.last, s.last)
}

func appendFloats(dst []byte, xs []float32) []byte {
	for _, x := range xs {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// checkFloats checks that b begins with n numbers of at most a bound, and
// returns the rest.
func checkFloats(b []byte, n int, most float32) (rest []byte, err error) {
	if len(b) < 4*n {
		return nil, fmt.Errorf("%w: it ends within the part of the reward scheme", envs.ErrSnapshot)
	}
	for i := range n {
		if v := floatOf(b, i); !(v >= -most && v <= most) {
			return nil, fmt.Errorf("%w: a number of agent %d is %v", envs.ErrSnapshot, i, v)
		}
	}
	return b[4*n:], nil
}

func floatOf(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}
