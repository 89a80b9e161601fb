package twoswitch

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/envtest"
	"marlpit/envs/grid"
)

var picture = flag.String("picture", "", "file to write the picture of the README to")

// moments plays the start of the default game and keeps what is worth telling:
// steps, a switch, the door, the end.
func moments(t *testing.T, tell func(title string, g *Game, before []byte)) {
	g := build(t, nil)
	frame := envs.NewFrame(g.Spec())
	g.Reset(0, frame)
	for !frame.Ended() {
		before := g.AppendSnapshot(nil)
		title := fmt.Sprintf("after step %d", g.now.T+1)
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, frame)
		tell(title, g, before)
	}
}

// The words of a whole game, in both viewpoints, forwards and backwards, are in
// a file that a person can read. -update rewrites it.
func TestWords(t *testing.T) {
	var b strings.Builder
	moments(t, func(title string, g *Game, before []byte) {
		if n := g.now.T; n != 1 && n != 3 && !g.now.ended {
			return
		}
		after := g.AppendSnapshot(nil)
		for agent, name := range g.Spec().Agents {
			for _, view := range []envs.View{envs.Guided, envs.Plain} {
				fmt.Fprintf(&b, "== %s, %s, %s\n%s\n", title, name, view, g.AppendWords(nil, before, agent, view))
				back := g.Clone().(*Game)
				require.NoError(t, back.Restore(before, envs.NewFrame(g.Spec())))
				fmt.Fprintf(&b, "== the reverse\n%s\n", back.AppendWords(nil, after, agent, view))
			}
		}
	})
	const file = "testdata/words.txt"
	if envtest.Update() {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

// What the agent should do next is said to the guided, and to nobody else.
func TestOnlyGuidedWordsNameTheSubGoal(t *testing.T) {
	moments(t, func(_ string, g *Game, before []byte) {
		require.Contains(t, string(g.AppendWords(nil, before, 0, envs.Guided)), "The next goal of agent_0 was")
		require.NotContains(t, string(g.AppendWords(nil, before, 0, envs.Plain)), "next goal")
	})
}

func TestPicture(t *testing.T) {
	g := build(t, nil)
	g.Reset(0, envs.NewFrame(g.Spec()))
	img := image.NewRGBA(g.Bounds())
	g.Draw(img)
	first := append([]uint8(nil), img.Pix...)
	g.Step(envs.Actions{Choice: []int32{grid.Up, grid.Down}}, envs.NewFrame(g.Spec()))
	g.Draw(img)
	require.NotEqual(t, first, img.Pix)
	require.Equal(t, image.Rect(0, 0, 10*grid.Tile, 7*grid.Tile), img.Bounds())
	if *picture == "" {
		return
	}
	for range 3 {
		g.Step(envs.Actions{Choice: g.AppendBest(nil)}, envs.NewFrame(g.Spec()))
	}
	g.Draw(img)
	f, err := os.Create(*picture)
	require.NoError(t, err)
	require.NoError(t, png.Encode(f, img))
	require.NoError(t, f.Close())
}
