package envs

import "fmt"

// Kind is the kind of a Space, named as in Gymnasium.
type Kind uint8

// The kinds of spaces.
const (
	Box Kind = iota
	Discrete
	MultiDiscrete
)

// String returns the name used on the wire: "box", "discrete", "multi_discrete".
func (k Kind) String() string {
	return [...]string{"box", "discrete", "multi_discrete"}[k]
}

// Dtype is the element type of a Box.
type Dtype uint8

// The element types of boxes.
const (
	Float32 Dtype = iota
	Uint8
)

// String returns numpy's name of the type: "float32", "uint8".
func (d Dtype) String() string { return [...]string{"float32", "uint8"}[d] }

// Space is the set of values an observation, an action or a state may take.
type Space struct {
	Kind  Kind
	Dtype Dtype     // of a Box
	Shape []int     // of a Box
	Low   []float32 // of a Box: one bound for all elements, or one for each
	High  []float32 // likewise
	N     []int     // number of choices: one for Discrete, one a dimension for MultiDiscrete
}

// NewBox returns a float32 Box of one dimension whose bounds are those of the fields.
func NewBox(fields []Field) Space {
	s := Space{Kind: Box, Shape: []int{FieldsSize(fields)}}
	for _, f := range fields {
		for range f.Size {
			s.Low = append(s.Low, f.Low)
			s.High = append(s.High, f.High)
		}
	}
	return s
}

// NewDiscrete returns the space of the choices 0 … n-1.
func NewDiscrete(n int) Space { return Space{Kind: Discrete, N: []int{n}} }

// Size is the number of elements of a value of the space: the product of a
// Box's shape, the number of dimensions otherwise.
func (s Space) Size() int {
	if s.Kind != Box {
		return len(s.N)
	}
	n := 1
	for _, d := range s.Shape {
		n *= d
	}
	return n
}

// Choices is the number of mask columns of a discrete space: the sum of N.
func (s Space) Choices() int {
	n := 0
	for _, k := range s.N {
		n += k
	}
	return n
}

// Field is one named run of elements of a vector: a row of a layout table.
// Every field reaches its Low and its High in some reachable state.
type Field struct {
	Name string  `json:"name"`
	Size int     `json:"size"` // number of elements
	Low  float32 `json:"low"`
	High float32 `json:"high"`
	Help string  `json:"help"` // one phrase, with the unit
}

// FieldsSize is the number of elements of all fields together.
func FieldsSize(fields []Field) int {
	n := 0
	for _, f := range fields {
		n += f.Size
	}
	return n
}

// Spec describes a game with its parameters chosen. It is immutable.
type Spec struct {
	ID         string         // "two-switch-v1"
	Params     map[string]any // every parameter, resolved; JSON values
	Agents     []string       // (agents,) possible agents, in the order of every array
	Roles      []string       // (agents,) role of each: the letters of its name
	Team       bool           // the reward is shared: an episode's return is one agent's; false: the sum over agents
	MaxCycles  int            // limit of steps, 0: none
	Obs        []Space        // (agents,) of one dtype; the widest gives the array its shape
	ObsFields  [][]Field      // (agents,) layout of each agent's observation; nil for pictures
	Action     []Space        // (agents,) all discrete kinds or all Box
	ActionName [][]string     // (agents, choices) names of the choices; nil for boxes
	Noop       []int32        // (agents, dims) the choice that does nothing; nil for boxes
	State      Space          // a float32 Box of one dimension
	StateField []Field        // layout of the state
	Info       []string       // names of the info columns; "success" is one of them
	Rewards    [2]float32     // least and greatest team reward of one step
	ObsVersion int            // version of the observation and state layout, for fitted models

	AllocatingReset bool // Reset may allocate: worlds of words, whose episodes hold new strings
	PolicySolver    bool // the Solver follows a policy that succeeds, and needn't be the best: Remaining may fall by more than was done
}

// ObsShape is the shape of one agent's row in the observation array: that of
// the largest observation space.
func (s *Spec) ObsShape() []int {
	best := s.Obs[0]
	for _, o := range s.Obs[1:] {
		if o.Size() > best.Size() {
			best = o
		}
	}
	return best.Shape
}

// ObsSize is the number of elements of one agent's row in the observation array.
func (s *Spec) ObsSize() int { return Space{Shape: s.ObsShape()}.Size() }

// ObsDtype is the element type of observations.
func (s *Spec) ObsDtype() Dtype { return s.Obs[0].Dtype }

// Continuous says whether actions are boxes (Actions.Value) rather than choices.
func (s *Spec) Continuous() bool { return s.Action[0].Kind == Box }

// ActionDims is the number of elements of one agent's row in the action array.
func (s *Spec) ActionDims() int {
	n := 0
	for _, a := range s.Action {
		n = max(n, a.Size())
	}
	return n
}

// Choices is the number of columns of the mask: 0 where actions are boxes.
func (s *Spec) Choices() int {
	n := 0
	for _, a := range s.Action {
		n = max(n, a.Choices())
	}
	return n
}

// InfoColumn is the index of the named info column, or -1.
func (s *Spec) InfoColumn(name string) int {
	for i, n := range s.Info {
		if n == name {
			return i
		}
	}
	return -1
}

// CheckActions panics unless a has the length the spec asks for. Environments
// call it first thing in Step.
func (s *Spec) CheckActions(a Actions) {
	got := len(a.Choice)
	if s.Continuous() {
		got = len(a.Value)
	}
	if want := len(s.Agents) * s.ActionDims(); got != want {
		panic(fmt.Sprintf("envs: %s: %d action elements, want %d (agents × dims)", s.ID, got, want))
	}
}
