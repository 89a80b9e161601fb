package victimrubble

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest"
)

// moments plays a game as well as possible and tells each step.
func moments(g *Game, tell func(step int, before []byte)) {
	frame := envs.NewFrame(g.Spec())
	g.Reset(0, frame)
	for step := 1; !frame.Ended(); step++ {
		before := g.AppendSnapshot(nil)
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
		tell(step, before)
	}
}

// The words of games, in both viewpoints, forwards and backwards, are in files
// that a person can read. -update rewrites them.
func TestWords(t *testing.T) {
	for name, c := range map[string]struct {
		params map[string]any
		steps  []int
	}{
		"words":       {nil, []int{1, 4, 5, 15}},
		"words-rooms": {rooms, []int{3, 8, 15}},
		"words-sites": {map[string]any{"layout": "sites", "engineers": 2, "medics": 2, "ending": "leave"}, []int{5, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			g := build(t, c.params)
			moments(g, func(step int, before []byte) {
				if !contains(c.steps, step) && !g.now.ended {
					return
				}
				fmt.Fprintf(&b, "%s\n", g.AppendText(nil))
				after := g.AppendSnapshot(nil)
				back := g.Clone().(*Game)
				require.NoError(t, back.Restore(before, envs.NewFrame(g.Spec())))
				for agent, name := range g.Spec().Agents {
					for _, view := range []envs.View{envs.Guided, envs.Plain} {
						fmt.Fprintf(&b, "== after step %d, %s, %s, %s\n%s\n", step, name, view, g.Family(before, agent), g.AppendWords(nil, before, agent, view))
						fmt.Fprintf(&b, "== the reverse\n%s\n", back.AppendWords(nil, after, agent, view))
						require.Equal(t, g.Family(before, agent), back.Family(after, agent))
					}
				}
			})
			file := "testdata/" + name + ".txt"
			if envtest.Update() {
				require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			lines, wanted := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
			require.Len(t, lines, len(wanted))
			for i := range lines {
				require.Equal(t, wanted[i], lines[i], "%s:%d", file, i+1)
			}
		})
	}
}

func contains(s []int, v int) bool {
	for _, x := range s {
		if x == v {
			return true
		}
	}
	return false
}
