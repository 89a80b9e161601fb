package envs

import "image"

// The interfaces of this file are abilities: an Env has them or not, and As
// finds them through wrappers. None is called on the step path unless it says so.

// Focuser gives each agent's scoring model features of its own: its place, its
// job and the flags that concern it. Called on the step path; allocates nothing
// when dst has room.
type Focuser interface {
	FocusFields(agent int) []Field                  // layout; constant, read only
	AppendFocus(dst []float32, agent int) []float32 // appends FieldsSize(FocusFields(agent)) elements
}

// View is the viewpoint words are written from.
type View uint8

// Guided words name the agent's current sub-goal, so the world supplies the
// direction and the critic compares; plain words give facts and rules only, so
// the critic has to understand the task.
const (
	Guided View = iota
	Plain
)

// String returns "guided" or "plain".
func (v View) String() string { return [...]string{"guided", "plain"}[v] }

// ParseView is the inverse of String.
func ParseView(s string) (View, bool) {
	switch s {
	case "guided":
		return Guided, true
	case "plain":
		return Plain, true
	}
	return 0, false
}

// Describer puts a transition into words, for critics and for people.
type Describer interface {
	// AppendWords appends what the given agent is told of the transition from
	// the state in the snapshot before, to the present state: its name, role,
	// the task, the team's goal, how it depends on its teammates, then what was
	// and what is now. Any two states of this world, in any order, can be
	// described. A snapshot that Restore would refuse panics.
	AppendWords(dst, before []byte, agent int, view View) []byte
}

// Drawer shows the present state to people. Drawing changes nothing, the
// random stream included.
type Drawer interface {
	AppendText(dst []byte) []byte // lines of text, ending in a newline
	Bounds() image.Rectangle      // of the picture; constant through an episode, Min is (0,0)
	Draw(dst *image.RGBA)         // dst covers Bounds; every pixel is written
}

// Snapshotter saves everything an episode depends on.
type Snapshotter interface {
	// AppendSnapshot appends a binary snapshot: fixed byte order, version first.
	AppendSnapshot(dst []byte) []byte

	// Restore makes the game what it was when the snapshot was taken, and
	// writes the frame: as after that step, but with Rewards and Team zero. It
	// returns an error wrapping ErrSnapshot, and changes nothing, when the
	// snapshot is not of this world with these parameters or not a reachable
	// form of state. Snapshots come from outside: every byte is checked.
	Restore(snapshot []byte, out *Frame) error
}

// Cloner copies a running game.
type Cloner interface {
	Clone() Env        // an independent copy that plays on identically
	CloneInto(dst Env) // the same into an Env of the same type and spec, without allocating; others panic
}

// SolverCap is the least work and the least time of a state without solution.
const SolverCap = 1e4

// Solver knows the best possible play. It is what critics are checked against.
type Solver interface {
	// Prepare builds (once per layout, shared by copies) what the other methods
	// need, for all episodes of this Env; it may take seconds. It returns an error wrapping ErrTooLarge,
	// naming the number of joint states and the limit, where that is beyond reach.
	Prepare() error

	// Remaining gives the least work to success from the present state, the sum
	// over agents of moves that aren't no-ops, and the least time in steps. A
	// state from which success can't be reached has the finite cap
	// SolverCap. Time limits are not considered. A world's card says where its
	// time is a lower bound only.
	Remaining() (work, time float64)

	// AppendBest appends a joint action (agents, dims) on a path of least work;
	// among those, one of least time where that is cheap to know.
	AppendBest(dst []int32) []int32
}

// Bounder estimates the least remaining work where a Solver's Prepare returns
// ErrTooLarge. What is measured against it has to say so.
type Bounder interface {
	// BoundName says what the bound is, in a few words for reports: "lower
	// bound: each agent's way to its own next goal".
	BoundName() string

	// Bound gives the estimate of Remaining's work at the present state, at once.
	Bound() (work float64)
}

// Classifier sorts an agent's transitions into families of situations, by what
// the agent did or what came about: for reports, and for simulated mistakes.
type Classifier interface {
	// Families lists the families there are, at most 32: short lower-case
	// words, such as "walk" or "press".
	Families() []string

	// Family is the one of the transition from the snapshot before to the
	// present state, for the given agent; any two states can be classed, and
	// a transition and its reverse are of one family. A snapshot that Restore
	// would refuse panics.
	Family(before []byte, agent int) string
}

// Placer moves one agent about the present state, all else being as it is: for
// maps of a scoring model over places.
type Placer interface {
	Places(agent int) []image.Point               // tiles the agent may stand on, in the drawer's grid; constant, read only
	Place(agent, place int, out *Frame)           // puts it on Places(agent)[place] and writes the frame, as Restore does
	PlaceBounds(agent, place int) image.Rectangle // the tile's pixels in the drawer's picture
}

// DenseRewarder is an environment with a hand-written dense reward, the
// "expert" scheme. Called on the step path.
type DenseRewarder interface {
	DenseRewards(dst []float32) // (agents,) of the last step; zero after Reset
}
