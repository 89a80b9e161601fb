package grid

// Sees says whether a place is in the square field of view of another: no more
// than radius columns and radius rows away. Walls don't block the view.
func Sees(from, to Point, radius int) bool {
	d := to.Sub(from)
	return max(d.X, -d.X) <= radius && max(d.Y, -d.Y) <= radius
}

// Window is the part of a plane around an agent: rx columns to each side and
// ry rows up and down.
type Window struct{ RX, RY int }

// W is the number of columns.
func (w Window) W() int { return 2*w.RX + 1 }

// H is the number of rows.
func (w Window) H() int { return 2*w.RY + 1 }

// Index is the place of p in a window (H, W) centred on the agent's place, and
// whether it is inside.
func (w Window) Index(centre, p Point) (int, bool) {
	x, y := p.X-centre.X+w.RX, p.Y-centre.Y+w.RY
	return y*w.W() + x, x >= 0 && x < w.W() && y >= 0 && y < w.H()
}
