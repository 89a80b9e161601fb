package twoswitch

import "marlpit/envs/grid"

func (w *world) writeMask(dst []uint8, cell int, open bool) {
	if open {
		copy(dst, w.mask[1][cell][:])
	} else {
		copy(dst, w.mask[0][cell][:])
	}
}

// writeState writes the global state, in the order of stateFields.
func (w *world) writeState(dst []float32, s *State, open bool) {
	clear(dst)
	cells := w.cells.Len()
	at := dst[w.agents*cells:]
	for i, c := range s.At[:w.agents] {
		dst[i*cells+int(c)] = 1
		at[2*i], at[2*i+1] = w.places[c][0], w.places[c][1]
	}
	at = at[2*w.agents:]
	at[0], at[1], at[2] = bit(w.works(s, 0)), bit(w.works(s, 1)), bit(open)
}

// AppendFocus implements envs.Focuser.
func (g *Game) AppendFocus(dst []float32, agent int) []float32 {
	n := len(dst)
	cells := g.cells.Len()
	for range cells + 5 {
		dst = append(dst, 0)
	}
	f, s := dst[n:], &g.now
	c := s.At[agent]
	f[c] = 1
	f[cells], f[cells+1] = g.places[c][0], g.places[c][1]
	f[cells+2], f[cells+3], f[cells+4] = bit(g.works(s, 0)), bit(g.works(s, 1)), bit(g.open(s))
	return dst
}

// observeAll writes the vectors of agents that see everything.
func observeAll(w *world, s *State, open bool, dst []float32) {
	on := [3]float32{bit(w.works(s, 0)), bit(w.works(s, 1)), bit(open)}
	width := 5 + 2*(w.agents-1)
	for i := range w.agents {
		row := dst[i*width : (i+1)*width]
		row[0], row[1] = w.places[s.At[i]][0], w.places[s.At[i]][1]
		row[2], row[3], row[4] = on[0], on[1], on[2]
		k := 5
		for j := range w.agents {
			if j != i {
				row[k], row[k+1] = w.places[s.At[j]][0], w.places[s.At[j]][1]
				k += 2
			}
		}
	}
}

// observeNear writes the vectors of agents that see radius columns and rows
// around them. A switch is seen where it or its twin is.
func observeNear(w *world, s *State, open bool, dst []float32) {
	clear(dst)
	width := 8 + 3*(w.agents-1)
	for i := range w.agents {
		row := dst[i*width : (i+1)*width]
		me := s.At[i]
		row[0], row[1] = w.places[me][0], w.places[me][1]
		for k := range 2 {
			if w.sees(me, w.switches[k]) || w.held && w.sees(me, w.twins[k]) {
				row[2+2*k], row[3+2*k] = 1, bit(w.works(s, k))
			}
		}
		if w.sees(me, w.door) {
			row[6], row[7] = 1, bit(open)
		}
		k := 8
		for j := range w.agents {
			if j == i {
				continue
			}
			if w.sees(me, s.At[j]) {
				row[k], row[k+1], row[k+2] = 1, w.places[s.At[j]][0], w.places[s.At[j]][1]
			}
			k += 3
		}
	}
}

func (w *world) sees(from, to int16) bool {
	return grid.Sees(w.cells.Points[from], w.cells.Points[to], w.params.Radius)
}

// The planes of a grid observation.
const (
	planeWall = iota
	planeDoor
	planeOff
	planeOn
	planeExit
	planeMates
	planes
)

// reach is how many columns and rows a grid observation shows on each side.
func (w *world) reach() (x, y int) {
	if w.params.View == "radius" {
		return w.params.Radius, w.params.Radius
	}
	return w.board.W - 3, w.board.H - 3
}

// planeShape is (planes, rows, columns).
func (w *world) planeShape() []int {
	x, y := w.reach()
	return []int{planes, 2*y + 1, 2*x + 1}
}

// observePlanes writes the planes around each agent.
func observePlanes(w *world, s *State, open bool, dst []float32) {
	clear(dst)
	rx, ry := w.reach()
	wide, high := 2*rx+1, 2*ry+1
	for i := range w.agents {
		view := dst[i*planes*wide*high : (i+1)*planes*wide*high]
		me := w.cells.Points[s.At[i]]
		for y := range high {
			for x := range wide {
				p := grid.Point{X: me.X + x - rx, Y: me.Y + y - ry}
				if k := w.plane(s, w.board.At(p), open); k >= 0 {
					view[(k*high+y)*wide+x] = 1
				}
			}
		}
		for j, c := range s.At[:w.agents] {
			p := w.cells.Points[c]
			x, y := p.X-me.X+rx, p.Y-me.Y+ry
			if j != i && x >= 0 && y >= 0 && x < wide && y < high {
				view[(planeMates*high+y)*wide+x] = 1
			}
		}
	}
}

// plane is the plane on which a letter shows, or -1 for none.
func (w *world) plane(s *State, letter grid.Cell, open bool) int {
	switch letter {
	case grid.Wall:
		return planeWall
	case exit:
		return planeExit
	case door:
		if !open {
			return planeDoor
		}
	case switchA, twinA:
		return planeOff + int(bit(w.works(s, 0)))
	case switchB, twinB:
		return planeOff + int(bit(w.works(s, 1)))
	}
	return -1
}
