package victimrubble

import (
	"image"
	"slices"

	"marlpit/envs/grid"
)

// mapping is the board of a layout and what may be where on it.
type mapping struct {
	board    *grid.Board
	cells    grid.Cells
	next     grid.Graph    // (cells, moves) where each move leads when nothing is in the way
	places   [][2]float32  // (cells, 2) x and y as shares of the map
	gaps     []int16       // (alcoves,) cells in a room's wall that lead to an alcove
	behind   []int16       // (alcoves,) the alcoves' own cells
	doorways []int16       // cells between rooms
	floor    [][]int16     // (rooms, cells) of each room, the first room is where all start
	middle   int16         // of the first room
	tiles    []image.Point // (cells,) where each is on the board
}

// mappingOf draws the board. Where places are fixed, alcoves are only where
// there is rubble; where they are random, wherever rubble may come to lie.
func mappingOf(p Params) mapping {
	var m mapping
	var doorways []grid.Point
	var holes []alcove
	var corners []grid.Point
	if p.Layout == "rooms" {
		m.board = grid.NewBoard(2*p.Width+3, 2*p.Height+3, grid.Wall)
		for k := range 4 {
			corners = append(corners, grid.Point{X: 1 + k%2*(p.Width+1), Y: 1 + k/2*(p.Height+1)})
		}
		x, y := 1+p.Width/2, 1+p.Height/2
		doorways = []grid.Point{{X: p.Width + 1, Y: y}, {X: x, Y: p.Height + 1}, {X: x + p.Width + 1, Y: p.Height + 1}}
	} else {
		m.board = grid.NewBoard(p.Width+6, p.Height+6, grid.Wall)
		corners = []grid.Point{{X: 3, Y: 3}}
		if holes = alcoves(p); p.Places == "fixed" {
			holes = spread(holes, p.Rubble)
		}
	}
	for _, c := range corners {
		m.board.Fill(c, p.Width, p.Height, grid.Floor)
	}
	for _, d := range doorways {
		m.board.Set(d, grid.Floor)
	}
	for _, h := range holes {
		m.board.Set(h.gap, grid.Floor)
		m.board.Set(h.behind, grid.Floor)
	}
	m.cells = grid.CellsOf(m.board)
	at := func(p grid.Point) int16 { return int16(m.cells.At(p)) }
	for _, d := range doorways {
		m.doorways = append(m.doorways, at(d))
	}
	for _, h := range holes {
		m.gaps, m.behind = append(m.gaps, at(h.gap)), append(m.behind, at(h.behind))
	}
	for _, c := range corners {
		var room []int16
		for i := range p.Width * p.Height {
			room = append(room, at(c.Add(grid.Point{X: i % p.Width, Y: i / p.Width})))
		}
		m.floor = append(m.floor, room)
	}
	m.middle = at(corners[0].Add(grid.Point{X: (p.Width - 1) / 2, Y: p.Height / 2}))
	m.next = m.cells.Graph(func(int) bool { return false })
	for _, q := range m.cells.Points {
		m.tiles = append(m.tiles, image.Pt(q.X, q.Y))
		m.places = append(m.places, [2]float32{float32(q.X-1) / float32(m.board.W-3), float32(q.Y-1) / float32(m.board.H-3)})
	}
	return m
}

// alcove is a gap in the wall of a room and the cell behind it.
type alcove struct{ gap, behind grid.Point }

// alcoves are the alcoves a room may have, clockwise from the top left: beside
// every second cell along the walls, so that no two touch. The room's top left
// is at (3, 3); the board is closed by a wall all around.
func alcoves(p Params) []alcove {
	var top, right, bottom, left []alcove
	for x := 3; x < 3+p.Width; x += 2 {
		top = append(top, alcove{grid.Point{X: x, Y: 2}, grid.Point{X: x, Y: 1}})
		bottom = append([]alcove{{grid.Point{X: x, Y: p.Height + 3}, grid.Point{X: x, Y: p.Height + 4}}}, bottom...)
	}
	for y := 3; y < 3+p.Height; y += 2 {
		right = append(right, alcove{grid.Point{X: p.Width + 3, Y: y}, grid.Point{X: p.Width + 4, Y: y}})
		left = append([]alcove{{grid.Point{X: 2, Y: y}, grid.Point{X: 1, Y: y}}}, left...)
	}
	return slices.Concat(top, right, bottom, left)
}

// spread takes n of the alcoves at even distances.
func spread(all []alcove, n int) []alcove {
	var out []alcove
	for k := range n {
		out = append(out, all[k*len(all)/n])
	}
	return out
}

// alcove says whether a cell is behind a gap.
func (w *world) alcove(cell int16) bool {
	for _, c := range w.behind {
		if c == cell {
			return true
		}
	}
	return false
}
