package wrappers

import (
	"marlpit/envs"
	"marlpit/shaping"
	"marlpit/shaping/prefer"
)

// sigma reads σ of every agent at the present state of one game.
type sigma interface {
	read(state []float32, dst []float32) // dst (agents,); allocates nothing once warm
}

// source makes the sigma of one game, around which a wrapper is built. sd is
// (agents,), 0 where σ is flat.
type source struct {
	of      func(envs.Env) sigma
	sd      []float64
	version int
	live    *Live // where of makes liveSigmas, which have sd and version of their own; else nil
}

// fitted is the sigma of a fitted model.
type fitted struct {
	model  *prefer.Model
	shared bool
	focus  envs.Focuser // nil where no net reads it
	buf    []float32
}

func fittedSource(m *prefer.Model) source {
	s := source{version: m.Header.Version}
	needs := false
	for i := range m.Header.World.Agents {
		s.sd = append(s.sd, m.SD(i))
		needs = needs || m.Input(i) == shaping.Focus
	}
	widest := 0
	for _, n := range m.Header.World.FocusSizes {
		widest = max(widest, n)
	}
	s.of = func(e envs.Env) sigma {
		f := &fitted{model: m, shared: m.Header.Kind == prefer.Shared}
		if needs {
			f.focus, _ = envs.As[envs.Focuser](e)
			f.buf = make([]float32, 0, widest)
		}
		return f
	}
	return s
}

func (f *fitted) read(state, dst []float32) {
	for i := range dst {
		switch {
		case f.shared && i > 0:
			dst[i] = dst[0]
		case f.model.Input(i) == shaping.Focus:
			f.buf = f.focus.AppendFocus(f.buf[:0], i)
			dst[i] = f.model.Value(i, f.buf)
		default:
			dst[i] = f.model.Value(i, state)
		}
	}
}

// multipliers are by/sd_i, 0 where σ is flat.
func (s source) multipliers(by float64) []float32 {
	out := make([]float32, len(s.sd))
	for i, sd := range s.sd {
		if sd > 0 {
			out[i] = float32(by / sd)
		}
	}
	return out
}

// differences are potential differences of one game, agent by agent.
type differences struct {
	sigma sigma
	gamma float32
	zero  bool      // σ is 0 at a terminated state
	prev  []float32 // (agents,) σ as used on entering the present state
	next  []float32
}

func newDifferences(e envs.Env, src source, r Reward) differences {
	n := len(e.Spec().Agents)
	return differences{
		sigma: src.of(e), gamma: float32(r.Gamma), zero: r.Terminal == ZeroAtEnd,
		prev: make([]float32, n), next: make([]float32, n),
	}
}

// enter begins at the state of out.
func (d *differences) enter(out *envs.Frame) { d.sigma.read(out.State, d.prev) }

// advance turns next into γσ(s') − σ(s) of each agent and makes s' the present
// state; 0 for an agent that had ended, whose σ stays as it was.
func (d *differences) advance(out *envs.Frame, dead []bool) []float32 {
	d.sigma.read(out.State, d.next)
	for i, v := range d.next {
		if dead[i] {
			d.next[i] = 0
			continue
		}
		if d.zero && out.Terminated[i] {
			v = 0
		}
		d.next[i] = float32(d.gamma*v) - d.prev[i]
		d.prev[i] = v
	}
	return d.next
}

func (d *differences) cloned(e envs.Env, of func(envs.Env) sigma) differences {
	c := *d
	c.sigma = of(e)
	c.prev = append([]float32(nil), d.prev...)
	c.next = append([]float32(nil), d.next...)
	return c
}

// maxSigma bounds |σ| in a snapshot; no model and no solver goes beyond.
const maxSigma = 1e6
