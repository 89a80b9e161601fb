package victimrubble

import (
	"image"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// Places implements envs.Placer: every cell, those that rubble or a wall of
// this episode closes among them.
func (g *Game) Places(int) []image.Point { return g.tiles }

// Place implements envs.Placer.
func (g *Game) Place(agent, place int, out *envs.Frame) {
	g.now.At[agent] = int16(place)
	g.before = g.now
	g.write(out, 0, 0)
}

// PlaceBounds implements envs.Placer.
func (g *Game) PlaceBounds(_, place int) image.Rectangle { return grid.Place(g.cells.Points[place]) }
