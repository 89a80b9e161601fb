package envtest

import (
	"fmt"
	"slices"
	"testing"

	"marlpit/envs"
)

// Reach tests that the bounds in the layout tables are true: that within so many
// steps of random play (and of best play, where the world knows it) each field of
// each observation and of the state is somewhere at its Low and somewhere at its
// High. Fields that random play can't bring there are excepted by name.
func Reach(t *testing.T, entry envs.Entry, steps int, params map[string]any, except ...string) {
	t.Helper()
	for _, missing := range unreached(t, newSubject(t, entry, nil, params), steps) {
		if !slices.Contains(except, missing.field) {
			t.Errorf("reach: in %d steps %s", steps, missing.says)
		}
	}
}

type unmet struct{ field, says string }

// extent is the range a field was seen in.
type extent struct {
	where     string
	field     envs.Field
	low, high float32
}

func (x *extent) see(values []float32) {
	for _, v := range values {
		x.low, x.high = min(x.low, v), max(x.high, v)
	}
}

// table is a layout with its place in a frame.
type table struct {
	fields []extent
	values func(*envs.Frame) []float32
}

func tables(s *envs.Spec) []table {
	layout := func(where string, fields []envs.Field, values func(*envs.Frame) []float32) table {
		t := table{values: values}
		for _, f := range fields {
			t.fields = append(t.fields, extent{where, f, f.High, f.Low})
		}
		return t
	}
	out := []table{layout("state", s.StateField, func(f *envs.Frame) []float32 { return f.State })}
	size := s.ObsSize()
	for i, fields := range s.ObsFields {
		out = append(out, layout("the observation of "+s.Agents[i], fields, func(f *envs.Frame) []float32 { return f.Obs[i*size:] }))
	}
	return out
}

func unreached(tb testing.TB, s *subject, steps int) []unmet {
	all := tables(s.spec)
	p := s.play(tb, 0)
	solver, solves := envs.As[envs.Solver](p.env)
	solves = solves && solver.Prepare() == nil
	for n := range steps {
		for _, t := range all {
			v := t.values(p.frame)
			for k := range t.fields {
				x := &t.fields[k]
				x.see(v[:x.field.Size])
				v = v[x.field.Size:]
			}
		}
		switch {
		case p.frame.Ended():
			p.reset(uint64(n))
		case solves && p.rng.Intn(4) == 0: // one step in four is a good one
			copy(p.act.Choice, solver.AppendBest(nil))
			p.step(p.act)
		default:
			p.step(p.random())
		}
	}
	var out []unmet
	for _, t := range all {
		for _, x := range t.fields {
			if x.low != x.field.Low || x.high != x.field.High {
				out = append(out, unmet{x.field.Name, fmt.Sprintf("%s of %s was from %v to %v, the layout says %v to %v",
					x.field.Name, x.where, x.low, x.high, x.field.Low, x.field.High)})
			}
		}
	}
	return out
}
