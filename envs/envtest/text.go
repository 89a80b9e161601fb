package envtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"marlpit/envs"
)

var update = updateFlag()

// updateFlag is the flag -update, shared with whoever has defined it before.
func updateFlag() *flag.Flag {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite expectations in test files")
	}
	return flag.Lookup("update")
}

// Update tells whether the tests run with -update: expectations are to be rewritten.
func Update() bool { return update.Value.String() == "true" }

// compare tests a text against a file, or writes the file with -update.
func compare(tb testing.TB, path, got string) {
	tb.Helper()
	if Update() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("%v (the flag -update writes it)", err)
	}
	if line, a, b := firstDifference(got, string(want)); line > 0 {
		tb.Errorf("%s:%d: got\n\t%s\nwant\n\t%s\n(the flag -update rewrites the file)", path, line, a, b)
	}
}

// firstDifference is the first unequal line, counted from 1, or 0.
func firstDifference(got, want string) (line int, a, b string) {
	if got == want {
		return 0, "", ""
	}
	x, y := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		a, b = "<end>", "<end>"
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
}

// actionText writes a joint action by names: "agent_0=left agent_1=stay".
func actionText(spec *envs.Spec, a envs.Actions) string {
	dims := spec.ActionDims()
	out := make([]string, len(spec.Agents))
	for i, space := range spec.Action {
		var parts []string
		offset := 0
		for d := range space.Size() {
			if space.Kind == envs.Box {
				parts = append(parts, number(a.Value[i*dims+d]))
				continue
			}
			parts = append(parts, spec.ActionName[i][offset+int(a.Choice[i*dims+d])])
			offset += space.N[d]
		}
		out[i] = spec.Agents[i] + "=" + strings.ReplaceAll(strings.Join(parts, ","), " ", "_")
	}
	return strings.Join(out, " ")
}

// stateText writes what a frame shows: the board, then rewards, then flags,
// success and the team's rewards where there is something to tell.
func stateText(e envs.Env, f *envs.Frame) string {
	spec := e.Spec()
	var b strings.Builder
	if d, ok := envs.As[envs.Drawer](e); ok {
		b.Write(d.AppendText(nil))
	}
	fmt.Fprintf(&b, "rewards %s\n", numbers(f.Rewards))
	if diffSlice("", f.Rewards, f.Team) != "" {
		fmt.Fprintf(&b, "team %s\n", numbers(f.Team))
	}
	success := make([]bool, len(spec.Agents))
	for i := range success {
		success[i] = f.Info[i*len(spec.Info)+spec.InfoColumn("success")] == 1
	}
	for _, line := range []struct {
		name string
		set  []bool
	}{{"success", success}, {"terminated", f.Terminated}, {"truncated", f.Truncated}} {
		if names := named(spec, line.set); names != "" {
			fmt.Fprintf(&b, "%s %s\n", line.name, names)
		}
	}
	return b.String()
}

func named(spec *envs.Spec, set []bool) string {
	var out []string
	for i, name := range spec.Agents {
		if set[i] {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func numbers(v []float32) string {
	out := make([]string, len(v))
	for i := range v {
		out[i] = number(v[i])
	}
	return strings.Join(out, " ")
}

// number writes a float32 with as many digits as tell it from its neighbours.
func number(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
