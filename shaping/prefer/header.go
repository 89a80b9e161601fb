package prefer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"marlpit/shaping"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrFile is returned by Load for bytes that are no model file.
	ErrFile = errors.New("prefer: bad model file")

	// ErrWorld is returned by CheckSpec when a model is of another world or
	// layout; the message says what differs.
	ErrWorld = errors.New("prefer: model of another world")

	// ErrPairs is returned by Fit for pairs or options that can't be fitted.
	ErrPairs = errors.New("prefer: bad pairs")
)

// Format is the version of the file format. Files of format 1, which have no
// report, are read, too.
const Format = 2

// Hidden is the number of tanh units of every net.
const Hidden = 32

// Kind says what a model was fitted to.
type Kind string

// The kinds of models.
const (
	Agents Kind = "agents" // one net per agent, from votes on each agent's part
	Shared Kind = "shared" // one net that reads the state, from votes on the team; the same σ for all
	Coin   Kind = "coin"   // as Agents, from coin-flip votes: a control

	// SharedLabels is from votes on the team, too, but with one net per agent that
	// reads its own view; the sum of their Δσ explains the votes.
	SharedLabels Kind = "shared-labels"
)

var kinds = []Kind{Agents, Shared, Coin, SharedLabels}

const kindNames = "agents, shared, coin or shared-labels"

// nets is the number of nets of a model of this kind.
func (k Kind) nets(agents int) int {
	if k == Shared {
		return 1
	}
	return agents
}

func (k Kind) valid() bool { return slices.Contains(kinds, k) }

// Weighing is how much a pair counts in a fit.
type Weighing string

// The ways of weighing.
const (
	Equal      Weighing = "equal"      // every pair alike
	ByVotes    Weighing = "votes"      // by its valid votes: every vote alike
	Confidence Weighing = "confidence" // by the distance of their mean from an even split, too: votes·|2c − 1|, at least 1/1000
)

func (w Weighing) valid() bool { return w == Equal || w == ByVotes || w == Confidence }

// Weight is that of a pair with confidence c from a number of valid votes.
func (w Weighing) Weight(c float64, votes int) float64 {
	switch w {
	case ByVotes:
		return float64(votes)
	case Confidence:
		return max(float64(votes)*math.Abs(2*c-1), 1e-3)
	}
	return 1
}

// Accuracy is how often a net is right on held-out votes that aren't ties.
type Accuracy struct {
	Right int     `json:"right"`
	N     int     `json:"n"`    // votes that aren't ties
	Ties  int     `json:"ties"` // votes that say nothing; not in N
	Low   float64 `json:"low"`  // Wilson's 95 % interval of Right/N; 0 to 1 without votes
	High  float64 `json:"high"`
}

// Rate is Right/N, NaN without votes.
func (a Accuracy) Rate() float64 { return float64(a.Right) / float64(a.N) }

// Net describes one scoring net.
type Net struct {
	Agent    string        `json:"agent"` // "" for the one of a shared model
	Input    shaping.Input `json:"input"`
	Features int           `json:"features"`
	Hidden   int           `json:"hidden"`
	SD       float64       `json:"sd"`   // of Δσ over the training transitions, as collected; 0: σ is flat
	Mean     float64       `json:"mean"` // of σ over the training states, already taken off
	HeldOut  Accuracy      `json:"held_out"`
}

// Votes counts what a critic was asked and said.
type Votes struct {
	Asked   int `json:"asked"`
	Valid   int `json:"valid"`
	Tie     int `json:"tie"` // of the valid
	Invalid int `json:"invalid"`
}

// Header says what a model is and where it comes from. It is the JSON part of
// the file.
type Header struct {
	Format    int      `json:"format"`
	Version   int      `json:"version"` // of the model: 1 for fitted files
	Name      string   `json:"name"`
	Kind      Kind     `json:"kind"`
	World     World    `json:"world"`
	Nets      []Net    `json:"nets"`
	Pairs     int      `json:"pairs"`  // fitted and held out
	Frames    int64    `json:"frames"` // of collection, to be charged to the method
	Seeds     []uint64 `json:"seeds"`  // of collection, then of fitting
	Critic    string   `json:"critic"`
	Prompt    string   `json:"prompt"` // hash of the prompt's template; "" where nothing was prompted
	Votes     Votes    `json:"votes"`
	CreatedBy string   `json:"created_by"` // program and version
	Report    *Report  `json:"report,omitempty"`
}

// Bounds on what a file may claim.
const (
	maxText    = 4096 // bytes of one text
	maxAgents  = 256
	maxSize    = 1 << 16 // features of one net
	maxWeights = 1 << 22 // of all nets together
	minSD      = 1e-6    // a smaller deviation counts as flat
	maxSD      = 1e6
)

// check tests every field that anything depends on.
func (h *Header) check() error {
	switch {
	case h.Format < 1 || h.Format > Format:
		return fmt.Errorf("format %d, this program reads 1 to %d", h.Format, Format)
	case h.Format == 1 && (h.Report != nil || h.Kind == SharedLabels):
		return errors.New("format 1 has no report and no kind shared-labels")
	case h.Version < 1 || h.Version > 1<<24:
		return fmt.Errorf("version %d, want 1 to %d", h.Version, 1<<24)
	case !h.Kind.valid():
		return fmt.Errorf("kind %.40q, want %s", h.Kind, kindNames)
	case h.Pairs < 0 || h.Frames < 0 || h.Votes.Asked < 0 || h.Votes.Valid < 0 || h.Votes.Tie < 0 || h.Votes.Invalid < 0:
		return errors.New("a count is negative")
	}
	for _, s := range []string{h.Name, h.Critic, h.Prompt, h.CreatedBy, h.World.Env} {
		if len(s) > maxText {
			return fmt.Errorf("a text of %d bytes, want at most %d", len(s), maxText)
		}
	}
	if err := h.World.check(); err != nil {
		return err
	}
	if want := h.Kind.nets(len(h.World.Agents)); len(h.Nets) != want {
		return fmt.Errorf("%d nets, want %d", len(h.Nets), want)
	}
	total := 0
	for i := range h.Nets {
		if err := h.checkNet(i); err != nil {
			return err
		}
		total += weightCount(h.Nets[i].Features)
	}
	if total > maxWeights {
		return fmt.Errorf("%d weights, want at most %d", total, maxWeights)
	}
	if h.Report != nil {
		return h.Report.check(h)
	}
	return nil
}

func (h *Header) checkNet(i int) error {
	n, w := &h.Nets[i], &h.World
	name, size := "", w.StateSize
	if h.Kind != Shared {
		name = w.Agents[i]
	}
	switch {
	case n.Input == shaping.Focus && h.Kind == Shared:
		return errors.New("a shared net reads the state")
	case n.Input == shaping.State && h.Kind == SharedLabels:
		return fmt.Errorf("net %d: one of shared-labels reads the agent's own view", i)
	case n.Input == shaping.Focus && len(w.FocusSizes) == 0:
		return fmt.Errorf("net %d reads focus features of a world without any", i)
	case n.Input == shaping.Focus:
		size = w.FocusSizes[i]
	case n.Input != shaping.State:
		return fmt.Errorf("net %d: input %.40q, want state or focus", i, n.Input)
	}
	a := n.HeldOut
	switch {
	case n.Agent != name:
		return fmt.Errorf("net %d is of agent %.40q, want %q", i, n.Agent, name)
	case n.Hidden != Hidden || n.Features != size:
		return fmt.Errorf("net %d: %d features and %d units, want %d and %d", i, n.Features, n.Hidden, size, Hidden)
	case n.SD != 0 && !(n.SD >= minSD && n.SD <= maxSD) || math.Signbit(n.SD):
		return fmt.Errorf("net %d: sd %v, want 0 or %v to %v", i, n.SD, minSD, maxSD)
	case a.Right < 0 || a.Right > a.N || a.Ties < 0 || !(a.Low >= 0 && a.Low <= a.High && a.High <= 1):
		return fmt.Errorf("net %d: held-out accuracy %+v", i, a)
	}
	return nil
}
