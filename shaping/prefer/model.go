package prefer

import (
	"fmt"

	"marlpit/shaping"
	"marlpit/shaping/modelfile"
)

// Model is a fitted σ for each agent of a world. It is immutable and may be
// used from any goroutine. It implements shaping.Potential.
type Model struct {
	Header Header // read only
	nets   []net  // (agents,), one for a shared model
}

// net holds the weights of one scoring net. Those of a feature are side by
// side, so that the features that are zero cost a comparison.
type net struct {
	in  []float32       // (features, Hidden)
	b   [Hidden]float32 // of the hidden units
	out [Hidden]float32
	b2  float32
}

// weightCount is the number of weights of a net.
func weightCount(features int) int { return features*Hidden + 2*Hidden + 1 }

// Input says what agent's net reads.
func (m *Model) Input(agent int) shaping.Input { return m.Header.Nets[m.index(agent)].Input }

// SD is the standard deviation of Δσ of an agent over the training transitions;
// 0 where σ is flat.
func (m *Model) SD(agent int) float64 { return m.Header.Nets[m.index(agent)].SD }

// Value is σ_agent(x), x (features,) of the agent's input. It allocates nothing;
// a wrong length panics.
func (m *Model) Value(agent int, x []float32) float32 {
	n := &m.nets[m.index(agent)]
	if len(x)*Hidden != len(n.in) {
		panic(fmt.Sprintf("prefer: %d features, want %d", len(x), len(n.in)/Hidden))
	}
	return n.value(x)
}

func (m *Model) index(agent int) int {
	if m.Header.Kind == Shared {
		return 0
	}
	return agent
}

// CheckSpec tells whether the model fits a world. It returns an error wrapping
// ErrWorld that lists what differs. The parameter max_cycles may differ:
// transitions are collected with the limit off. Nil FocusSizes aren't compared.
func (m *Model) CheckSpec(w World) error {
	if d := m.Header.World.differs(w); d != "" {
		return fmt.Errorf("%w: %s", ErrWorld, d)
	}
	return nil
}

func (n *net) value(x []float32) float32 {
	h := n.b
	for k, v := range x {
		if v == 0 {
			continue
		}
		w := (*[Hidden]float32)(n.in[k*Hidden:])
		if v == 1 {
			for j := 0; j < Hidden; j += 4 {
				h[j] += w[j]
				h[j+1] += w[j+1]
				h[j+2] += w[j+2]
				h[j+3] += w[j+3]
			}
			continue
		}
		for j := 0; j < Hidden; j += 4 {
			h[j] += float32(v * w[j])
			h[j+1] += float32(v * w[j+1])
			h[j+2] += float32(v * w[j+2])
			h[j+3] += float32(v * w[j+3])
		}
	}
	sum := n.b2
	for j := range h {
		sum += float32(Tanh(h[j]) * n.out[j])
	}
	return sum
}

// parts are the weights in the order of a file.
func (n *net) parts() [][]float32 { return [][]float32{n.in, n.b[:], n.out[:], {n.b2}} }

// newNet takes the weights of a file.
func newNet(w []float32) net {
	at := len(w) - 2*Hidden - 1
	n := net{in: w[:at:at], b2: w[at+2*Hidden]}
	copy(n.b[:], w[at:])
	copy(n.out[:], w[at+Hidden:])
	return n
}

// bounded says whether every weight is one that Load takes.
func (n *net) bounded() bool {
	for _, part := range n.parts() {
		if !modelfile.Bounded(part...) {
			return false
		}
	}
	return true
}
