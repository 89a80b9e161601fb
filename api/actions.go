package api

import (
	"math"
	"strconv"

	"marlpit/envs"
)

// actionMemory is where a session's joint actions are decoded to: straight from
// the request's bytes, every element checked before anything moves.
type actionMemory struct {
	spec   *envs.Spec
	shape  []int     // rows, agents, dims
	choice []int32   // (rows, agents, dims) of discrete actions
	value  []float32 // (rows, agents, dims) of boxes
	n      []int32   // (agents, dims) choices; 0: padding, read as 0
	low    []float32 // (agents, dims) bounds of boxes; padding has low > high
	high   []float32
	seen   []bool // (agents,) scratch of the map form
}

func newActionMemory(s *envs.Spec, rows int) actionMemory {
	agents, dims := len(s.Agents), s.ActionDims()
	m := actionMemory{spec: s, shape: []int{rows, agents, dims}, seen: make([]bool, agents)}
	if s.Continuous() {
		m.value = make([]float32, rows*agents*dims)
		m.low, m.high = make([]float32, agents*dims), make([]float32, agents*dims)
	} else {
		m.choice = make([]int32, rows*agents*dims)
		m.n = make([]int32, agents*dims)
	}
	for i, space := range s.Action {
		for d := range dims {
			k := i*dims + d
			switch {
			case !s.Continuous():
				if d < len(space.N) {
					m.n[k] = int32(space.N[d])
				}
			case d < space.Size():
				m.low[k], m.high[k] = boundAt(space.Low, d), boundAt(space.High, d)
			default:
				m.low[k], m.high[k] = 1, 0
			}
		}
	}
	return m
}

func boundAt(b []float32, i int) float32 {
	if len(b) == 1 {
		return b[0]
	}
	return b[i]
}

func (m *actionMemory) describe() arrayReply {
	r := arrayReply{Dtype: "<i4", Shape: m.shape}
	if m.value != nil {
		r.Dtype = "<f4"
	}
	return r
}

func (m *actionMemory) actions() envs.Actions {
	return envs.Actions{Choice: m.choice, Value: m.value}
}

// read decodes actions in any of their three forms. ended tells, for the map
// form, which agents may be left out. What it refuses leaves only this memory
// changed, which the next call overwrites.
func (m *actionMemory) read(r *reader, ended func(agent int) bool) error {
	if b, ok := r.bytes(); ok {
		return m.readRaw(b)
	}
	c := *r
	if _, ok := c.object(); ok {
		return m.readMap(r, ended)
	}
	if _, ok := c.array(); ok {
		return m.readNested(r)
	}
	return refuse(errInvalid, "/actions", "actions are raw bytes, nested lists (envs, agents, dims) or a map from agent to choice, got %s", r.what())
}

func (m *actionMemory) readRaw(b []byte) error {
	size := m.shape[0] * m.shape[1] * m.shape[2]
	if len(b) != 4*size {
		return refuse(errInvalid, "/actions", "actions are %d bytes (%d envs × %d agents × %d dims × 4), got %d",
			4*size, m.shape[0], m.shape[1], m.shape[2], len(b))
	}
	if m.value != nil {
		copy(memory(m.value), b)
		return m.checkValues()
	}
	copy(memory(m.choice), b)
	return m.checkChoices()
}

func (m *actionMemory) checkChoices() error {
	w := len(m.n)
	for at := 0; at < len(m.choice); at += w {
		row := m.choice[at : at+w]
		for k, n := range m.n {
			if n == 0 {
				row[k] = 0
			} else if uint32(row[k]) >= uint32(n) {
				return m.outOfRange(at/w, k, strconv.Itoa(int(row[k])))
			}
		}
	}
	return nil
}

func (m *actionMemory) checkValues() error {
	w := len(m.low)
	for at := 0; at < len(m.value); at += w {
		row := m.value[at : at+w]
		for k, low := range m.low {
			v, high := row[k], m.high[k]
			if low > high {
				row[k] = 0
			} else if !(v >= low && v <= high) || math.IsInf(float64(v), 0) {
				return m.outOfRange(at/w, k, ftoa(float64(v)))
			}
		}
	}
	return nil
}

// outOfRange names row, agent and range.
func (m *actionMemory) outOfRange(row, k int, got string) error {
	dims := m.shape[2]
	agent := m.spec.Agents[k/dims]
	dim := ""
	if m.spec.Action[k/dims].Size() > 1 {
		dim = ", dimension " + strconv.Itoa(k%dims)
	}
	want := ""
	if m.value != nil {
		want = "a finite number from " + ftoa(float64(m.low[k])) + " to " + ftoa(float64(m.high[k]))
	} else {
		want = "an integer from 0 to " + strconv.Itoa(int(m.n[k])-1)
	}
	return refuse(errInvalid, "/actions", "row %d, %s%s: an action is %s, got %s", row, agent, dim, want, got)
}
