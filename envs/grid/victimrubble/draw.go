package victimrubble

import (
	"image"
	"slices"

	"marlpit/envs/grid"
)

// AppendText implements envs.Drawer: the board, with agents as the first letter
// of their role ('+' where several stand), rubble as '%', where it was as ':',
// victims as 'v', healed as 'o', the locked door as 'D', open as '/', traps as '^'.
func (g *Game) AppendText(dst []byte) []byte {
	s := &g.now
	board := len(dst)
	dst = g.board.Append(dst)
	at := func(c int16) *byte {
		p := g.cells.Points[c]
		return &dst[board+p.Y*(g.board.W+1)+p.X]
	}
	for c := range int16(g.cells.Len()) {
		if s.Shut.has(c) {
			*at(c) = '#'
		}
	}
	for k, c := range s.Victim[:g.victims] {
		*at(c) = pick(s.healed(k), 'o', 'v')
	}
	for k, c := range s.Rubble[:g.rubble] {
		if l := at(c); !s.cleared(k) || *l != 'v' && *l != 'o' {
			*l = pick(s.cleared(k), ':', '%')
		}
	}
	if g.door {
		*at(s.Door) = pick(s.Open, '/', 'D')
	}
	for _, c := range s.Trap[:g.traps] {
		if c >= 0 {
			*at(c) = '^'
		}
	}
	var seen cellSet
	for i, c := range s.At[:g.agents] {
		if g.leave && s.out(i) {
			continue
		}
		*at(c) = g.roles[i].String()[0] - 'a' + 'A'
		if seen.has(c) {
			*at(c) = '+'
		}
		seen.add(c)
	}
	return dst
}

func pick(yes bool, a, b byte) byte {
	if yes {
		return a
	}
	return b
}

// Bounds implements envs.Drawer.
func (g *Game) Bounds() image.Rectangle {
	return image.Rect(0, 0, g.board.W*grid.Tile, g.board.H*grid.Tile)
}

// Draw implements envs.Drawer.
func (g *Game) Draw(dst *image.RGBA) {
	s := &g.now
	for i := range g.board.Cells {
		p := grid.Point{X: i % g.board.W, Y: i / g.board.W}
		if c := g.cells.At(p); c >= 0 && !g.walled(int16(c)) {
			grid.DrawFloor(dst, grid.Place(p))
		} else {
			grid.DrawWall(dst, grid.Place(p))
		}
	}
	at := func(c int16) image.Rectangle { return grid.Place(g.cells.Points[c]) }
	for k, c := range s.Victim[:g.victims] {
		drawVictim(dst, at(c), s.healed(k))
	}
	for k, c := range s.Rubble[:g.rubble] {
		drawRubble(dst, at(c), s.cleared(k))
	}
	if g.door {
		drawDoor(dst, at(s.Door), s.Open)
	}
	for _, c := range s.Trap[:g.traps] {
		if c >= 0 {
			drawTrap(dst, at(c))
		}
	}
	g.drawAgents(dst)
}

// walled says whether a cell is wall in this episode.
func (g *Game) walled(cell int16) bool {
	s := &g.now
	return s.Shut.has(cell) && !slices.Contains(s.Rubble[:g.rubble], cell) && cell != s.Door
}

// drawAgents draws those who have not left.
func (g *Game) drawAgents(dst *image.RGBA) {
	s, number := &g.now, [4]int{}
	for i, c := range s.At[:g.agents] {
		who := g.roles[i]
		number[who]++
		if g.leave && s.out(i) {
			continue
		}
		slot, slots := 0, 0
		for j, other := range s.At[:g.agents] {
			if other == c && !(g.leave && s.out(j)) {
				slots++
				if j < i {
					slot++
				}
			}
		}
		drawAgent(dst, grid.Place(g.cells.Points[c]), who, s.out(i), number[who]-1, slot, slots)
	}
}
