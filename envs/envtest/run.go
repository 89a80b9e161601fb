package envtest

import (
	"encoding/json"
	"testing"

	"marlpit/envs"
)

// Seeds every check plays; 0 is a seed like any other.
var seeds = [...]uint64{0, 1, 1<<63 + 5}

// horizon bounds the steps of one random playthrough.
const horizon = 120

// subject is what is tested: an entry with one set of parameters, and perhaps
// a wrapper around it.
type subject struct {
	entry  envs.Entry
	params map[string]any
	wrap   envs.Wrapper // nil: none
	spec   *envs.Spec
	others []map[string]any // the other parameter sets of the run
}

// check is one part of the contract.
type check struct {
	name string
	run  func(testing.TB, *subject)
	bare bool // of worlds only: says nothing of wrappers
}

var checks = []check{
	{"spec", checkSpec, false},
	{"entry", checkEntry, true},
	{"frame", checkFrame, false},
	{"noop", checkNoop, false},
	{"lengths", checkLengths, false},
	{"ends", checkEnds, false},
	{"limit", checkLimit, false},
	{"determinism", checkDeterminism, false},
	{"independence", checkIndependence, false},
	{"batch", checkBatch, false},
	{"snapshot", checkSnapshot, false},
	{"restore", checkRestore, false},
	{"clone", checkClone, false},
	{"allocations", checkAllocations, false},
	{"words", checkWords, true},
	{"drawing", checkDrawing, true},
	{"solver", checkSolver, true},
	{"focus", checkFocus, true},
	{"dense", checkDense, true},
	{"families", checkFamilies, true},
	{"places", checkPlaces, true},
	{"bound", checkBound, true},
}

// Run tests that the environments of an entry keep the contract, once for each
// set of parameters; without any, for the defaults. Abilities an environment
// doesn't have are skipped. Not for parallel tests: it counts allocations.
func Run(t *testing.T, entry envs.Entry, params ...map[string]any) {
	t.Helper()
	run(t, entry, nil, params)
}

// RunWrapped tests that a wrapper keeps the contract around the environments of
// an entry: what Run tests, and that the game inside is not touched.
func RunWrapped(t *testing.T, entry envs.Entry, wrapper envs.Wrapper, params ...map[string]any) {
	t.Helper()
	run(t, entry, wrapper, params)
}

func run(t *testing.T, entry envs.Entry, wrapper envs.Wrapper, params []map[string]any) {
	t.Helper()
	if len(params) == 0 {
		params = []map[string]any{nil}
	}
	for _, p := range params {
		t.Run(label(p), func(t *testing.T) {
			s := newSubject(t, entry, wrapper, p)
			s.others = params
			for _, c := range s.checks() {
				t.Run(c.name, func(t *testing.T) { c.run(t, s) })
			}
		})
	}
}

// checks are those that apply to the subject.
func (s *subject) checks() []check {
	var out []check
	for _, c := range checks {
		if s.wrap == nil || !c.bare {
			out = append(out, c)
		}
	}
	if s.wrap != nil {
		out = append(out, check{"wrapper", checkWrapper, false})
	}
	return out
}

func newSubject(tb testing.TB, entry envs.Entry, wrapper envs.Wrapper, params map[string]any) *subject {
	tb.Helper()
	s := &subject{entry: entry, params: params, wrap: wrapper}
	s.spec = s.build(tb).Spec()
	return s
}

// inner builds an environment of the entry, without the wrapper.
func (s *subject) inner(tb testing.TB) envs.Env {
	tb.Helper()
	e, err := s.entry.New(s.params)
	if err != nil {
		tb.Fatalf("%s: New(%v): %v", s.entry.ID, s.params, err)
	}
	return e
}

// build builds an environment as the tests see it.
func (s *subject) build(tb testing.TB) envs.Env {
	tb.Helper()
	e := s.inner(tb)
	if s.wrap != nil {
		e = s.wrap(e)
	}
	return e
}

// label names a parameter set in the names of subtests.
func label(params map[string]any) string {
	if len(params) == 0 {
		return "defaults"
	}
	b, err := json.Marshal(params) // sorts the keys
	if err != nil {
		return "params"
	}
	return string(b)
}
