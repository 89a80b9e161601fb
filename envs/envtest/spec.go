package envtest

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"marlpit/envs"
)

var (
	agentName = regexp.MustCompile(`^([a-z]+)_(\d+)$`)
	envID     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*-v\d+$`)
)

// checkSpec tests that a spec is complete and agrees with itself.
func checkSpec(tb testing.TB, s *subject) {
	spec := s.spec
	n := len(spec.Agents)
	if n == 0 {
		tb.Fatal("spec: no agents")
	}
	for name, got := range map[string]int{"Roles": len(spec.Roles), "Obs": len(spec.Obs), "Action": len(spec.Action)} {
		if got != n {
			tb.Fatalf("spec: %s has %d elements, want %d (agents)", name, got, n)
		}
	}
	if spec.ID != s.entry.ID || !envID.MatchString(spec.ID) {
		tb.Errorf("spec: id %q of the entry %q: want the same, of the form name-v1", spec.ID, s.entry.ID)
	}
	if e := s.build(tb); e.Spec() != e.Spec() {
		tb.Error("spec: Spec returns another pointer each call")
	}
	if !(spec.Rewards[0] <= spec.Rewards[1]) || math.IsInf(float64(spec.Rewards[1]-spec.Rewards[0]), 0) {
		tb.Errorf("spec: rewards from %v to %v", spec.Rewards[0], spec.Rewards[1])
	}
	if spec.InfoColumn("success") < 0 {
		tb.Errorf("spec: info %v has no column success", spec.Info)
	}
	if i := slices.Sorted(slices.Values(spec.Info)); len(slices.Compact(i)) != len(spec.Info) {
		tb.Errorf("spec: info %v has a column twice", spec.Info)
	}
	if spec.ObsVersion < 1 {
		tb.Errorf("spec: observation version %d, want at least 1", spec.ObsVersion)
	}
	if limit, ok := spec.Params["max_cycles"]; ok && limit != any(spec.MaxCycles) || spec.MaxCycles < 0 {
		tb.Errorf("spec: MaxCycles %d, parameter max_cycles %v", spec.MaxCycles, limit)
	}
	checkAgentNames(tb, spec)
	checkObsSpaces(tb, spec)
	checkActionSpaces(tb, spec)
	checkBox(tb, "state", spec.State)
	checkLayout(tb, "state", spec.State, spec.StateField)
	if spec.State.Dtype != envs.Float32 || len(spec.State.Shape) != 1 {
		tb.Errorf("spec: the state space is %v of shape %v, want float32 of one dimension", spec.State.Dtype, spec.State.Shape)
	}
}

func checkAgentNames(tb testing.TB, spec *envs.Spec) {
	next := map[string]int{}
	for i, name := range spec.Agents {
		m := agentName.FindStringSubmatch(name)
		if m == nil || m[1] != spec.Roles[i] {
			tb.Errorf("spec: agent %q with role %q: want <role>_<n>, the role in small letters", name, spec.Roles[i])
			continue
		}
		if want := next[m[1]]; m[2] != itoa(want) {
			tb.Errorf("spec: agent %q: want number %d, counting each role from 0", name, want)
		}
		next[m[1]]++
	}
}

func checkObsSpaces(tb testing.TB, spec *envs.Spec) {
	if spec.ObsFields != nil && len(spec.ObsFields) != len(spec.Agents) {
		tb.Fatalf("spec: ObsFields has %d elements, want %d (agents)", len(spec.ObsFields), len(spec.Agents))
	}
	for i, space := range spec.Obs {
		name := "observation of " + spec.Agents[i]
		checkBox(tb, name, space)
		if space.Dtype != spec.ObsDtype() {
			tb.Errorf("spec: %s is %v, the first agent's is %v", name, space.Dtype, spec.ObsDtype())
		}
		if spec.ObsFields != nil {
			checkLayout(tb, name, space, spec.ObsFields[i])
		}
	}
}

// checkBox tests that a space is a Box of a positive size with ordered bounds.
func checkBox(tb testing.TB, name string, s envs.Space) {
	size := s.Size()
	if s.Kind != envs.Box || size <= 0 || len(s.Shape) == 0 {
		tb.Fatalf("spec: %s: kind %v, shape %v, want a box with elements", name, s.Kind, s.Shape)
	}
	for _, b := range [][]float32{s.Low, s.High} {
		if len(b) != 1 && len(b) != size {
			tb.Fatalf("spec: %s: %d bounds for %d elements, want 1 or all", name, len(b), size)
		}
	}
	for i := range size {
		low, high := bound(s.Low, i), bound(s.High, i)
		if !(low <= high) || s.Dtype == envs.Uint8 && (low < 0 || high > 255) {
			tb.Errorf("spec: %s: element %d has bounds %v to %v", name, i, low, high)
		}
	}
}

// checkLayout tests that a table of fields describes a space exactly.
func checkLayout(tb testing.TB, name string, s envs.Space, fields []envs.Field) {
	if got, want := envs.FieldsSize(fields), s.Size(); got != want {
		tb.Errorf("spec: %s: the fields sum to %d elements, the space has %d", name, got, want)
		return
	}
	at := 0
	for _, f := range fields {
		if f.Name == "" || f.Help == "" || f.Size <= 0 {
			tb.Errorf("spec: %s: field %+v needs a name, a help and a size", name, f)
		}
		for range f.Size {
			if f.Low != bound(s.Low, at) || f.High != bound(s.High, at) {
				tb.Errorf("spec: %s: field %s is from %v to %v, element %d of the space from %v to %v", name, f.Name, f.Low, f.High, at, bound(s.Low, at), bound(s.High, at))
			}
			at++
		}
	}
}

// checkEntry tests what the catalogue says of the world.
func checkEntry(tb testing.TB, s *subject) {
	if s.entry.Summary == "" || s.entry.Card == "" {
		tb.Error("entry: the summary or the card is empty")
	}
	for _, p := range s.entry.Params {
		if p.Name == "" || p.Help == "" {
			tb.Errorf("entry: parameter %+v needs a name and a help", p)
		}
		if _, ok := s.spec.Params[p.Name]; !ok {
			tb.Errorf("entry: Spec.Params lacks %s", p.Name)
		}
	}
	if len(s.spec.Params) != len(s.entry.Params) {
		tb.Errorf("entry: Spec.Params has %d parameters, the entry %d", len(s.spec.Params), len(s.entry.Params))
	}
	again, err := s.entry.New(s.spec.Params)
	if err != nil {
		tb.Fatalf("entry: New refuses the parameters in its own spec: %v", err)
	}
	if !reflect.DeepEqual(again.Spec(), s.spec) {
		tb.Error("entry: the parameters in a spec build another spec")
	}
}
