package twoswitch

import (
	"image"

	"marlpit/envs/grid"
)

// AppendText implements envs.Drawer: the board, with the agents' numbers on
// their cells ('+' where several stand), switches at work in capitals turned
// to '*', an open door as '/'.
func (g *Game) AppendText(dst []byte) []byte {
	s := &g.now
	board := len(dst)
	dst = g.board.Append(dst)
	put := func(c int16, letter byte) {
		if c >= 0 {
			p := g.cells.Points[c]
			dst[board+p.Y*(g.board.W+1)+p.X] = letter
		}
	}
	if g.open(s) {
		put(g.door, '/')
	}
	for k := range 2 {
		if g.works(s, k) {
			put(g.switches[k], '*')
			put(g.twins[k], '*')
		}
	}
	for i, c := range s.At[:g.agents] {
		letter := byte('0' + i)
		for j, other := range s.At[:g.agents] {
			if j != i && other == c {
				letter = '+'
			}
		}
		put(c, letter)
	}
	return dst
}

// Bounds implements envs.Drawer.
func (g *Game) Bounds() image.Rectangle {
	return image.Rect(0, 0, g.board.W*grid.Tile, g.board.H*grid.Tile)
}

// Draw implements envs.Drawer.
func (g *Game) Draw(dst *image.RGBA) {
	s := &g.now
	for i, cell := range g.board.Cells {
		r := grid.Place(grid.Point{X: i % g.board.W, Y: i / g.board.W})
		if cell == grid.Wall {
			grid.DrawWall(dst, r)
			continue
		}
		grid.DrawFloor(dst, r)
		switch cell {
		case switchA, twinA:
			grid.DrawSwitch(dst, r, g.works(s, 0))
		case switchB, twinB:
			grid.DrawSwitch(dst, r, g.works(s, 1))
		case door:
			grid.DrawDoor(dst, r, g.open(s))
		case exit:
			grid.DrawExit(dst, r)
		}
	}
	for i, c := range s.At[:g.agents] {
		slot, slots := 0, 0
		for j, other := range s.At[:g.agents] {
			if other == c {
				slots++
				if j < i {
					slot++
				}
			}
		}
		grid.DrawAgent(dst, grid.Place(g.cells.Points[c]), i, slot, slots)
	}
}
