package votes

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
)

// Team is the agent number of questions about the team as a whole.
const Team = -1

// World is what a file is about.
type World struct {
	Env        string
	Params     map[string]any // resolved; JSON values
	Agents     []string
	ObsVersion int
	StateSize  int
	FocusSizes []int // (agents,); empty where the world has no focus features
}

// Collection is one run of collecting, with what it cost.
type Collection struct {
	Seed     uint64         `json:"seed"`
	Policy   string         `json:"policy"`
	Params   map[string]any `json:"params"` // as played
	Copies   int            `json:"copies"`
	Steps    int            `json:"steps"`    // of each copy
	Frames   int64          `json:"frames"`   // copies × steps
	Changed  int64          `json:"changed"`  // transitions in which the state changed
	Distinct int64          `json:"distinct"` // of those, different pairs of states
	Kept     int            `json:"kept"`
	Solver   string         `json:"solver"` // "exact", "bound: …" naming the estimate, or why credit is unknown
}

// Play says in words how transitions were come by: the policy, then how they
// were drawn.
func (c Collection) Play() string {
	policy, drawn, ok := strings.Cut(c.Policy, ", ")
	if ok {
		return policy + " play, " + drawn
	}
	return policy + " play"
}

// Transition is one change of the world, a → b. Worlds of other people's may
// have no snapshots and no actions.
type Transition struct {
	Seed       uint64 // of the episode
	Copy, Step int
	Actions    []int32 // (agents, dims); nil for box actions
	SnapshotA  []byte
	SnapshotB  []byte
	StateA     []float32 // (state,)
	StateB     []float32
	Terminal   bool
	Agents     []Agent
}

// Agent is one agent's side of a transition.
type Agent struct {
	Index  int       // Team for the team as a whole
	Guided [2]string // words of a → b and of b → a; "" where the world has none
	Plain  [2]string
	FocusA []float32 // (focus,); nil where there are none
	FocusB []float32
	Truth  float64 // exact credit, or what Collection.Solver says; NaN: unknown
	Family string  // of situations it belongs to; "" unknown
}

// PairKey identifies a pair of states.
func PairKey(a, b []float32) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(floats(a)) // never fails
	_, _ = h.Write([]byte{0xff})
	_, _ = h.Write(floats(b))
	return h.Sum64()
}

// questionKey identifies a pair and an agent.
func questionKey(pair uint64, agent int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%x/%d", pair, agent)
	return h.Sum64()
}

// heldOut picks one pair in five, by the pair alone: the same ones whatever
// else is collected, and for every agent and annotator.
func heldOut(pair uint64) bool {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "held %x", pair)
	return h.Sum64()%5 == 0
}

// floats writes float32 as little-endian bytes; nil for nil.
func floats(x []float32) []byte {
	if x == nil {
		return nil
	}
	out := make([]byte, 0, 4*len(x))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

// unfloats is the inverse; an odd length is an error.
func unfloats(b []byte) ([]float32, error) {
	if b == nil {
		return nil, nil
	}
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are no float32s", len(b))
	}
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out, nil
}
