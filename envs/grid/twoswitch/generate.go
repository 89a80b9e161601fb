package twoswitch

import (
	"image"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// What a board shows beside walls and floor. Twins are there only where switches are held.
const (
	switchA = 'a'
	switchB = 'b'
	twinA   = 'A'
	twinB   = 'B'
	door    = 'D'
	exit    = 'X'
)

// target is a place an agent may be on its way to.
type target int

const (
	toA target = iota
	toB
	toTwinA
	toTwinB
	toExit
	targets
)

// world is what the parameters fix. It is immutable and shared by copies.
type world struct {
	params   Params
	spec     *envs.Spec
	agents   int
	held     bool
	board    *grid.Board
	cells    grid.Cells
	door     int16
	exit     int16
	switches [2]int16 // cells of the switches in the left room
	twins    [2]int16 // their twins in the right room; -1 where there are none
	starts   []int16  // (agents,) where agents begin
	anywhere []int16  // cells a random start may take
	next     [2]grid.Graph
	mask     [2][][grid.Moves]uint8 // (cells, moves) legal moves with the door closed and open
	at       [targets]int16         // cell of each target, -1 for a missing twin
	dist     [targets][]int16       // (cells,) steps to each target through an open door; nil for a missing twin
	right    []bool                 // (cells,) whether the cell is the doorway or beyond it
	places   [][2]float32           // (cells, 2) x and y as shares of the map
	tiles    []image.Point          // (cells,) where each is on the board
	hash     uint32                 // of the parameters
	observe  func(w *world, s *State, open bool, dst []float32)
	solution *solution
}

// worlds are shared by games of equal parameters.
var worlds envs.Shared[Params, world]

func newWorld(p Params) *world {
	b := draft(p)
	w := &world{params: p, agents: p.Agents, held: p.Mode == "held", board: b, cells: grid.CellsOf(b)}
	cell := func(letter grid.Cell) int16 {
		for i, at := range w.cells.Points {
			if b.At(at) == letter {
				return int16(i)
			}
		}
		return -1
	}
	w.door, w.exit = cell(door), cell(exit)
	w.switches = [2]int16{cell(switchA), cell(switchB)}
	w.twins = [2]int16{cell(twinA), cell(twinB)}
	w.next[0] = w.cells.Graph(func(c int) bool { return int16(c) == w.door })
	w.next[1] = w.cells.Graph(func(int) bool { return false })
	for o := range w.next {
		w.mask[o] = make([][grid.Moves]uint8, w.cells.Len())
		for c, to := range w.next[o] {
			for a := range to {
				if a == int(grid.Stay) || int(to[a]) != c {
					w.mask[o][c][a] = 1
				}
			}
		}
	}
	w.at = [targets]int16{w.switches[0], w.switches[1], w.twins[0], w.twins[1], w.exit}
	for t, c := range w.at {
		if c >= 0 {
			w.dist[t] = w.cells.Distances(b, int(c))
		}
	}
	wide, high := float32(p.WidthLeft+p.WidthRight), float32(p.Height-1)
	for c, at := range w.cells.Points {
		w.tiles = append(w.tiles, image.Pt(at.X, at.Y))
		w.places = append(w.places, [2]float32{float32(at.X-1) / wide, float32(at.Y-1) / high})
		w.right = append(w.right, at.X > p.WidthLeft)
		if !w.right[c] && b.At(at) == grid.Floor {
			w.anywhere = append(w.anywhere, int16(c))
		}
	}
	for i := range p.Agents {
		x := 1 + (p.WidthLeft-1)/2 + i%2
		w.starts = append(w.starts, int16(w.cells.At(grid.Point{X: min(x, p.WidthLeft), Y: 1 + p.Height/2})))
	}
	w.hash = envs.ParamsHash(p)
	w.spec = newSpec(w)
	w.solution = solutionOf(w)
	return w
}

// draft draws the board of the parameters.
func draft(p Params) *grid.Board {
	width, height := p.WidthLeft+p.WidthRight+3, p.Height+2
	wall := p.WidthLeft + 1
	b := grid.NewBoard(width, height, grid.Wall)
	b.Fill(grid.Point{X: 1, Y: 1}, p.WidthLeft, p.Height, grid.Floor)
	b.Fill(grid.Point{X: wall + 1, Y: 1}, p.WidthRight, p.Height, grid.Floor)
	b.Set(grid.Point{X: 1, Y: 1}, switchA)
	b.Set(grid.Point{X: p.WidthLeft, Y: p.Height}, switchB)
	b.Set(grid.Point{X: wall, Y: 1 + p.Height/2}, door)
	b.Set(grid.Point{X: width - 2, Y: p.Height}, exit)
	if p.Mode == "held" {
		b.Set(grid.Point{X: wall + 1, Y: 1}, twinA)
		b.Set(grid.Point{X: width - 2, Y: 1}, twinB)
	}
	return b
}
