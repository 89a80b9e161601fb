package envtest

import (
	"math"
	"strconv"
	"testing"

	"marlpit/envs"
)

// checkActionSpaces tests action spaces, names and no-ops.
func checkActionSpaces(tb testing.TB, spec *envs.Spec) {
	for i, space := range spec.Action {
		name := "action of " + spec.Agents[i]
		if (space.Kind == envs.Box) != spec.Continuous() {
			tb.Fatalf("spec: %s is %v, the first agent's is %v", name, space.Kind, spec.Action[0].Kind)
		}
		if space.Kind == envs.Box {
			checkBox(tb, name, space)
			checkFinite(tb, name, space)
			continue
		}
		if len(space.N) == 0 || space.Kind == envs.Discrete && len(space.N) != 1 {
			tb.Fatalf("spec: %s: %v with choices %v", name, space.Kind, space.N)
		}
		for _, n := range space.N {
			if n < 1 {
				tb.Fatalf("spec: %s: choices %v", name, space.N)
			}
		}
	}
	if spec.Continuous() {
		if spec.Noop != nil || spec.ActionName != nil {
			tb.Error("spec: boxes have neither Noop nor ActionName")
		}
		return
	}
	checkNames(tb, spec)
	checkNoops(tb, spec)
}

func checkFinite(tb testing.TB, name string, s envs.Space) {
	for _, b := range append(append([]float32{}, s.Low...), s.High...) {
		if math.IsInf(float64(b), 0) {
			tb.Errorf("spec: %s: an infinite bound", name)
		}
	}
}

func checkNames(tb testing.TB, spec *envs.Spec) {
	if len(spec.ActionName) != len(spec.Agents) {
		tb.Errorf("spec: ActionName has %d elements, want %d (agents)", len(spec.ActionName), len(spec.Agents))
		return
	}
	for i, names := range spec.ActionName {
		if want := spec.Action[i].Choices(); len(names) != want {
			tb.Errorf("spec: %d names for the %d choices of %s", len(names), want, spec.Agents[i])
		}
		seen := map[string]bool{}
		for _, n := range names {
			if n == "" || seen[n] {
				tb.Errorf("spec: the action names of %s, %q, have an empty one or one twice", spec.Agents[i], names)
			}
			seen[n] = true
		}
	}
}

func checkNoops(tb testing.TB, spec *envs.Spec) {
	dims := spec.ActionDims()
	if want := len(spec.Agents) * dims; len(spec.Noop) != want {
		tb.Fatalf("spec: Noop has %d elements, want %d (agents × dims)", len(spec.Noop), want)
	}
	for i, space := range spec.Action {
		for d, n := range space.N {
			if c := spec.Noop[i*dims+d]; c < 0 || int(c) >= n {
				tb.Fatalf("spec: the no-op of %s is %d in dimension %d of %d choices", spec.Agents[i], c, d, n)
			}
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
