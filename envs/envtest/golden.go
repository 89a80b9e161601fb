package envtest

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"marlpit/envs"
)

// goldenSteps is the length of the random part of a golden playthrough.
const goldenSteps = 30

// Golden plays an environment with fixed seeds, at random and then, where there
// is a Solver, as well as possible, and compares the record with a file: boards,
// actions, rewards, flags, and hashes of observations, masks and state. A change
// of rules, observations or rewards shows there, and should bump the version in
// the world's id. params is one set of parameters; without it, the defaults.
// The flag -update writes the file.
func Golden(t *testing.T, entry envs.Entry, file string, params ...map[string]any) {
	t.Helper()
	if len(params) == 0 {
		params = []map[string]any{nil}
	}
	compare(t, file, playthrough(t, newSubject(t, entry, nil, params[0])))
}

func playthrough(tb testing.TB, s *subject) string {
	var b strings.Builder
	spec := s.spec
	fmt.Fprintf(&b, "%s %s\n", spec.ID, label(spec.Params))
	fmt.Fprintf(&b, "agents %s\n", strings.Join(spec.Agents, " "))
	fmt.Fprintf(&b, "obs %v %v, state %v, info %v, observation version %d\n", spec.ObsDtype(), spec.ObsShape(), spec.State.Shape, spec.Info, spec.ObsVersion)

	p := s.play(tb, 1)
	fmt.Fprintf(&b, "\n== random play, seed 1\n")
	record(&b, p)
	for range goldenSteps {
		if p.frame.Ended() {
			break
		}
		a := p.random()
		fmt.Fprintf(&b, "\nstep %d: %s\n", p.t+1, actionText(spec, a))
		p.step(a)
		record(&b, p)
	}
	solver, ok := envs.As[envs.Solver](p.env)
	if !ok || solver.Prepare() != nil {
		return b.String()
	}
	p.reset(2)
	fmt.Fprintf(&b, "\n== best play, seed 2\n")
	record(&b, p)
	for p.t < 200 && !p.frame.Ended() {
		work, time := solver.Remaining()
		copy(p.act.Choice, solver.AppendBest(nil))
		fmt.Fprintf(&b, "\nstep %d, work %v, time %v: %s\n", p.t+1, work, time, actionText(spec, p.act))
		p.step(p.act)
		record(&b, p)
	}
	return b.String()
}

func record(b *strings.Builder, p *player) {
	f := p.frame
	b.WriteString(stateText(p.env, f))
	fmt.Fprintf(b, "hash obs %s mask %s state %s info %s\n", hash(f.Obs, f.Pixels), hash(nil, f.Mask), hash(f.State, nil), hash(f.Info, nil))
}

// hash is FNV-1a of the values' bytes, little-endian, cut to 32 bits.
func hash(v []float32, raw []uint8) string {
	h := fnv.New32a()
	var word [4]byte
	for _, x := range v {
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(x))
		h.Write(word[:])
	}
	h.Write(raw)
	return fmt.Sprintf("%08x", h.Sum32())
}
