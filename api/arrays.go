package api

import (
	"slices"

	"marlpit/api/pool"
	"marlpit/envs"
)

// arrayNames are the arrays of the step path, in the order they travel.
var arrayNames = []string{"obs", "mask", "state", "rewards", "team", "info", "terminated", "truncated"}

// array is one array of the batch, ready to be written: its memory never moves.
type array struct {
	name   string
	dtype  string // numpy's
	shape  []int
	head   []byte // msgpack: the key and the head of the bytes
	data   []byte // (rows × row) the batch's memory
	floats []float32
	bytes  []uint8
	row    int // bytes of a row
}

type arrayReply struct {
	Name  string `json:"name,omitempty"`
	Dtype string `json:"dtype"`
	Shape []int  `json:"shape"`
}

type layout struct {
	Actions arrayReply   `json:"actions"`
	Arrays  []arrayReply `json:"arrays"`
	Final   []arrayReply `json:"final"`
}

// newArrays lists what travels: the names asked for (nil: all but state), and
// of those obs, mask and state for final frames.
func newArrays(p *pool.Pool, names []string) (arrays, finals []array) {
	for _, name := range arrayNames {
		if names == nil && name == "state" || names != nil && !slices.Contains(names, name) {
			continue
		}
		a, ok := newArray(name, p.Spec(), p.Len(), &p.Batch().Frame)
		if !ok {
			continue
		}
		arrays = append(arrays, a)
		if f := p.Batch().Final; f != nil && (name == "obs" || name == "mask" || name == "state") {
			a, _ := newArray(name, p.Spec(), p.Len(), f)
			a.name = "final_" + name
			a.shape[0] = -1
			finals = append(finals, a)
		}
	}
	return arrays, finals
}

// newArray views one array of a batch of n frames; the mask of box actions
// doesn't exist.
func newArray(name string, s *envs.Spec, n int, f *envs.Frame) (array, bool) {
	agents := len(s.Agents)
	a := array{name: name, dtype: "<f4", shape: []int{n, agents}}
	switch name {
	case "obs":
		a.shape = append(a.shape, s.ObsShape()...)
		a.floats = f.Obs
		if s.ObsDtype() == envs.Uint8 {
			a.floats, a.bytes = nil, f.Pixels
		}
	case "mask":
		if s.Continuous() {
			return a, false
		}
		a.shape = append(a.shape, s.Choices())
		a.bytes = f.Mask
	case "state":
		a.shape = []int{n, s.State.Size()}
		a.floats = f.State
	case "rewards":
		a.floats = f.Rewards
	case "team":
		a.floats = f.Team
	case "info":
		a.shape = append(a.shape, len(s.Info))
		a.floats = f.Info
	case "terminated":
		a.bytes = memory(f.Terminated)
	case "truncated":
		a.bytes = memory(f.Truncated)
	}
	if a.bytes != nil {
		a.dtype, a.data = "|u1", a.bytes
	} else {
		a.data = memory(a.floats)
	}
	a.row = len(a.data) / n
	a.head = appendBin(appendText(nil, name), len(a.data))
	return a, true
}

func describeArrays(arrays []array) []arrayReply {
	out := make([]arrayReply, len(arrays))
	for i, a := range arrays {
		out[i] = arrayReply{a.name, a.dtype, a.shape}
	}
	return out
}

// describeFinals lists final_rows and the arrays beside it. A shape begins with
// -1: as many rows as ended.
func (s *session) describeFinals() []arrayReply {
	out := []arrayReply{}
	if s.pool.Mode() == pool.SameStep {
		out = append(out, arrayReply{"final_rows", "<i4", []int{-1}})
		out = append(out, describeArrays(s.finals)...)
	}
	return out
}
