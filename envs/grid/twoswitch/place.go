package twoswitch

import (
	"image"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// Places implements envs.Placer: every cell.
func (g *Game) Places(int) []image.Point { return g.tiles }

// Place implements envs.Placer. It presses no switch.
func (g *Game) Place(agent, place int, out *envs.Frame) {
	g.now.At[agent] = int16(place)
	g.before = g.now
	g.write(out, 0)
}

// PlaceBounds implements envs.Placer.
func (g *Game) PlaceBounds(_, place int) image.Rectangle { return grid.Place(g.cells.Points[place]) }
