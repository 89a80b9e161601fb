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

// sketch is where things are to be, in coordinates of its own.
type sketch struct {
	corners  []grid.Point // (rooms,) top left of each
	doorways []grid.Point
	holes    []alcove
}

// sketchOf draws a layout. Where places are fixed, alcoves are only where there
// is rubble; where they are random, wherever rubble may come to lie.
func sketchOf(p Params) sketch {
	if p.Layout == "rooms" {
		right, down := p.Width+1, p.Height+1
		x, y := p.Width/2, p.Height/2
		return sketch{
			corners:  []grid.Point{{}, {X: right}, {Y: down}, {X: right, Y: down}},
			doorways: []grid.Point{{X: p.Width, Y: y}, {X: x, Y: p.Height}, {X: x + right, Y: p.Height}},
		}
	}
	holes := alcoves(p)
	if p.Places == "fixed" {
		holes = spread(holes, p.Rubble)
	}
	return sketch{corners: []grid.Point{{}}, holes: holes}
}

// points are all places that are no walls.
func (k sketch) points(p Params) []grid.Point {
	out := slices.Clone(k.doorways)
	for _, h := range k.holes {
		out = append(out, h.gap, h.behind)
	}
	for _, c := range k.corners {
		for i := range p.Width * p.Height {
			out = append(out, c.Add(grid.Point{X: i % p.Width, Y: i / p.Width}))
		}
	}
	return out
}

// mappingOf makes the board of a layout, no larger than it has to be with walls all around.
func mappingOf(p Params) mapping {
	var m mapping
	k := sketchOf(p)
	points := k.points(p)
	low, high := points[0], points[0]
	for _, q := range points {
		low = grid.Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
		high = grid.Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
	}
	origin := low.Sub(grid.Point{X: 1, Y: 1})
	m.board = grid.NewBoard(high.X-low.X+3, high.Y-low.Y+3, grid.Wall)
	for _, q := range points {
		m.board.Set(q.Sub(origin), grid.Floor)
	}
	m.cells = grid.CellsOf(m.board)
	at := func(p grid.Point) int16 { return int16(m.cells.At(p.Sub(origin))) }
	for _, d := range k.doorways {
		m.doorways = append(m.doorways, at(d))
	}
	for _, h := range k.holes {
		m.gaps, m.behind = append(m.gaps, at(h.gap)), append(m.behind, at(h.behind))
	}
	for _, c := range k.corners {
		var room []int16
		for i := range p.Width * p.Height {
			room = append(room, at(c.Add(grid.Point{X: i % p.Width, Y: i / p.Width})))
		}
		m.floor = append(m.floor, room)
	}
	m.middle = at(k.corners[0].Add(grid.Point{X: (p.Width - 1) / 2, Y: p.Height / 2}))
	m.next = m.cells.Graph(func(int) bool { return false })
	for _, q := range m.cells.Points {
		m.tiles = append(m.tiles, image.Pt(q.X, q.Y))
		m.places = append(m.places, [2]float32{float32(q.X-1) / float32(m.board.W-3), float32(q.Y-1) / float32(m.board.H-3)})
	}
	return m
}

// alcove is a gap in the wall of a room and the cell behind it.
type alcove struct{ gap, behind grid.Point }

// alcoves are the alcoves a room at the origin may have, clockwise from the top
// left: beside every second cell along the walls, so that no two touch.
func alcoves(p Params) []alcove {
	var top, right, bottom, left []alcove
	for x := 0; x < p.Width; x += 2 {
		top = append(top, alcove{grid.Point{X: x, Y: -1}, grid.Point{X: x, Y: -2}})
		bottom = append([]alcove{{grid.Point{X: x, Y: p.Height}, grid.Point{X: x, Y: p.Height + 1}}}, bottom...)
	}
	for y := 0; y < p.Height; y += 2 {
		right = append(right, alcove{grid.Point{X: p.Width, Y: y}, grid.Point{X: p.Width + 1, Y: y}})
		left = append([]alcove{{grid.Point{X: -1, Y: y}, grid.Point{X: -2, Y: y}}}, left...)
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
