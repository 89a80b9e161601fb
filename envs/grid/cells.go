package grid

// Cells numbers the places of a board that are no walls, row by row.
type Cells struct {
	Points []Point // (cells,) the place of each
	index  []int16 // (H, W) number of the cell at a place, -1 for a wall
	w      int
}

// CellsOf returns the numbering of a board that is closed by walls all around.
func CellsOf(b *Board) Cells {
	c := Cells{index: make([]int16, len(b.Cells)), w: b.W}
	for i, cell := range b.Cells {
		c.index[i] = -1
		if cell != Wall {
			c.index[i] = int16(len(c.Points))
			c.Points = append(c.Points, Point{i % b.W, i / b.W})
		}
	}
	return c
}

// Len is the number of cells.
func (c Cells) Len() int { return len(c.Points) }

// At is the number of the cell at a place of the board, -1 for a wall.
func (c Cells) At(p Point) int { return int(c.index[p.Y*c.w+p.X]) }

// Graph is where each move leads: the cell reached, or the cell itself where
// the move is blocked.
type Graph [][Moves]int16 // (cells, moves)

// Graph returns the moves between cells; a closed cell can be left, not entered.
func (c Cells) Graph(closed func(cell int) bool) Graph {
	g := make(Graph, c.Len())
	for i, p := range c.Points {
		for m, d := range Step {
			to := c.At(p.Add(d))
			if to < 0 || to != i && closed(to) {
				to = i
			}
			g[i][m] = int16(to)
		}
	}
	return g
}

// Distances is Distances of the board the cells were taken from, cell by cell.
func (c Cells) Distances(b *Board, goal int) []int16 {
	all := Distances(b, c.Points[goal], func(p Point) bool { return b.At(p) != Wall })
	out := make([]int16, c.Len())
	for i, p := range c.Points {
		out[i] = int16(min(all[p.Y*b.W+p.X], 1<<14))
	}
	return out
}
