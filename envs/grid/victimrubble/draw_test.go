package victimrubble

import (
	"flag"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"marlpit/envs"
	"marlpit/envs/grid"
)

var picture = flag.String("picture", "", "file to write a picture of all roles and things to")

// A picture of four rooms tells the locked door from the open one, rubble from
// where it was, and the healed from the hurt.
func TestPicture(t *testing.T) {
	g := build(t, map[string]any{"layout": "rooms", "scout": true, "keybearer": true, "ending": "death"})
	g.Reset(0, envs.NewFrame(g.Spec()))
	require.Equal(t, image.Rect(0, 0, 9*grid.Tile, 9*grid.Tile), g.Bounds())
	draw := func() *image.RGBA {
		img := image.NewRGBA(g.Bounds())
		g.Draw(img)
		return img
	}
	tile := func(img *image.RGBA, cell int16) []uint8 {
		r := grid.Place(g.cells.Points[cell])
		out := image.NewRGBA(image.Rect(0, 0, grid.Tile, grid.Tile))
		for y := range grid.Tile {
			for x := range grid.Tile {
				out.Set(x, y, img.At(r.Min.X+x, r.Min.Y+y))
			}
		}
		return out.Pix
	}
	before := draw()
	g.now.At = [maxAgents]int16{g.floor[0][0], g.floor[0][1], g.floor[0][5], g.floor[0][8]}
	g.now.Open, g.now.Cleared, g.now.Healed = true, 2, 2
	g.now.close(g.world)
	after := draw()
	for _, c := range []int16{g.now.Door, g.now.Rubble[1], g.now.Victim[1], g.floor[0][0], g.floor[0][1]} {
		require.NotEqual(t, tile(before, c), tile(after, c))
	}
	for _, c := range []int16{g.now.Rubble[0], g.now.Trap[3]} {
		require.Equal(t, tile(before, c), tile(after, c))
	}
	if *picture != "" {
		g.now.Open, g.now.Cleared, g.now.Healed = false, 2, 2
		g.now.close(g.world)
		f, err := os.Create(*picture)
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, draw()))
		require.NoError(t, f.Close())
	}
}
