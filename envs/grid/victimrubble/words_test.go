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

// The families of best play: each deed is told from what others did.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		ending string
		want   []string
	}{
		{"together", []string{famClear, famHeal, famOpen, famOther, famWalk, famStay, famEnd}},
		{"leave", []string{famClear, famHeal, famOut, famOther, famWalk, famStay, famEnd}},
	} {
		met := map[string]bool{}
		g := build(t, map[string]any{"layout": "rooms", "keybearer": true, "ending": c.ending})
		moments(g, func(_ int, before []byte) {
			for i, r := range g.roles {
				f := g.Family(before, i)
				met[f] = true
				if f == famClear || f == famHeal || f == famOpen {
					require.Equal(t, [...]string{engineer: famClear, medic: famHeal, keybearer: famOpen}[r], f)
				}
			}
		})
		for _, f := range c.want {
			require.True(t, met[f], "%s: %s", c.ending, f)
		}
	}
}

// Only guided words name the sub-goal.
func TestOnlyGuidedWordsNameTheSubGoal(t *testing.T) {
	for _, p := range []map[string]any{nil, rooms, sites} {
		g := build(t, p)
		moments(g, func(_ int, before []byte) {
			for i := range g.agents {
				guided, plain := string(g.AppendWords(nil, before, i, envs.Guided)), string(g.AppendWords(nil, before, i, envs.Plain))
				require.NotContains(t, plain, "next goal")
				require.NotContains(t, plain, "nothing was left")
				require.True(t, strings.Contains(guided, "The next goal of "+g.names[i]+" was to ") || strings.Contains(guided, "Before, nothing was left for "+g.names[i]))
			}
		})
	}
}

// The dead are said to be so, in both viewpoints and both ways.
func TestWordsOfTheDead(t *testing.T) {
	g := build(t, map[string]any{"ending": "death", "engineers": 2})
	frame := envs.NewFrame(g.Spec())
	g.Reset(0, frame)
	up := envs.Actions{Choice: []int32{1, 0, 0}}
	g.Step(up, frame)
	before := g.AppendSnapshot(nil)
	g.Step(up, frame)
	after := g.AppendSnapshot(nil)
	guided := string(g.AppendWords(nil, before, 0, envs.Guided))
	require.Contains(t, guided, "Now engineer_0 is not alive.")
	require.Contains(t, guided, "What happened: engineer_0 stepped on a trap and died.")
	require.Contains(t, string(g.AppendWords(nil, before, 1, envs.Plain)), "engineer_0 is not alive; ")
	require.Equal(t, famOut, g.Family(before, 0))
	require.NoError(t, g.Restore(before, frame))
	require.Contains(t, string(g.AppendWords(nil, after, 0, envs.Guided)), "Before, engineer_0 was not alive. Now engineer_0 is ")
}

// The expert pays for moves towards the sub-goal and for the deed, and takes
// for moves away.
func TestExpertReward(t *testing.T) {
	g := build(t, nil)
	frame, dense := envs.NewFrame(g.Spec()), make([]float32, 2)
	moments(g, func(_ int, before []byte) {
		back := g.before
		g.DenseRewards(dense)
		for i := range dense {
			did := back.At[i] != g.now.At[i]
			if g.roles[i] == medic {
				did = did || back.Healed != g.now.Healed
			} else {
				did = did || back.Cleared != g.now.Cleared
			}
			require.InDelta(t, 0.1*bit(did), dense[i], 1e-6)
		}
	})
	g.Reset(0, frame)
	g.Step(envs.Actions{Choice: []int32{1, 1}}, frame)
	g.Step(envs.Actions{Choice: []int32{2, 0}}, frame)
	g.DenseRewards(dense)
	require.InDeltaSlice(t, []float32{-0.1, 0}, dense, 1e-6)
}

// A game with more heaps than victims holds no victims that there aren't: words
// take the state before, which comes from a snapshot, for the same episode.
func TestWordsOfFewVictimsAreOfOneEpisode(t *testing.T) {
	g := build(t, map[string]any{"places": "random", "rubble": 4, "victims": 1})
	frame := envs.NewFrame(g.Spec())
	for seed := range uint64(20) {
		g.Reset(seed, frame)
		twin := g.Clone().(*Game)
		before := g.AppendSnapshot(nil)
		require.NoError(t, twin.Restore(before, frame))
		require.Equal(t, g.now, twin.now)
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
		require.Equal(t, 1, strings.Count(string(g.AppendWords(nil, before, 0, envs.Plain)), "Victim A lies"), "places are told once")
	}
}

// A trap before a doorway leaves no way to its rubble, which isn't told as a distance.
func TestNoDistanceIsToldWhereThereIsNoWay(t *testing.T) {
	g := build(t, map[string]any{"layout": "rooms", "places": "random", "ending": "death", "rubble": 2, "victims": 2})
	frame, cut := envs.NewFrame(g.Spec()), 0
	for seed := range uint64(300) {
		g.Reset(seed, frame)
		words := string(g.AppendWords(nil, g.AppendSnapshot(nil), 0, envs.Plain))
		require.NotContains(t, words, "nine hundred")
		for k := range g.rubble {
			here := g.planner(&g.now).steps[k][g.now.At[0]]
			require.Equal(t, here >= far, strings.Contains(words, "cut off by a trap from rubble "+letters[k:k+1]))
			if here >= far {
				cut++
			}
		}
	}
	require.Positive(t, cut)
}
