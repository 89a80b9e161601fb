package victimrubble

import (
	"math/bits"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// write writes the frame of the present state. Those who were out before, a bit
// each, get no reward.
func (g *Game) write(out *envs.Frame, reward float32, before uint32) {
	s := &g.now
	cleared, healed := float32(bits.OnesCount32(s.Cleared)), float32(bits.OnesCount32(s.Healed))
	for i := range g.agents {
		paid := reward
		if before>>i&1 != 0 {
			paid = 0
		}
		out.Rewards[i], out.Team[i] = paid, paid
		gone := s.out(i) || s.success || s.failed
		out.Terminated[i] = gone
		out.Truncated[i] = s.ended && !gone
		out.Info[3*i], out.Info[3*i+1], out.Info[3*i+2] = bit(s.success), cleared, healed
	}
	g.writeMask(out.Mask)
	g.writeState(out.State)
	g.writeObs(out.Obs)
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (g *Game) writeMask(dst []uint8) {
	s, width := &g.now, g.choices
	clear(dst)
	for i := range g.agents {
		row := dst[i*width : (i+1)*width]
		row[grid.Stay] = 1
		if s.ended || s.out(i) {
			continue
		}
		at := s.At[i]
		for m, to := range g.next[at] {
			if to != at && !s.Shut.has(to) {
				row[m] = 1
			}
		}
		if s.reach(g.world, i) >= 0 {
			row[act] = 1
		}
	}
}

// writeState writes the global state: each agent's cell, then the items of whole.
func (g *Game) writeState(dst []float32) {
	clear(dst)
	cells := g.cells.Len()
	for i, c := range g.now.At[:g.agents] {
		dst[i*cells+int(c)] = 1
	}
	g.now.writeItems(g.world, g.whole, 0, dst[g.agents*cells:])
}

func (g *Game) writeObs(dst []float32) {
	clear(dst)
	for i, items := range g.views {
		g.now.writeItems(g.world, items, i, dst[i*g.obs:])
	}
}

// AppendFocus implements envs.Focuser.
func (g *Game) AppendFocus(dst []float32, agent int) []float32 {
	n, cells, items := len(dst), g.cells.Len(), g.focus[agent]
	for range cells + size(items) {
		dst = append(dst, 0)
	}
	dst[n+int(g.now.At[agent])] = 1
	g.now.writeItems(g.world, items, agent, dst[n+cells:])
	return dst
}

// writeItems writes items as an agent sees them, into zeros.
func (s *State) writeItems(w *world, items []item, agent int, dst []float32) {
	flags := s.flags()
	for i := range items {
		it := &items[i]
		k := it.at
		if it.place || it.seen {
			cell := s.cell(it)
			if it.seen {
				if !s.sees(w, agent, cell) {
					continue
				}
				dst[k] = 1
				k++
			}
			if it.place {
				if cell >= 0 {
					p := &w.places[cell]
					dst[k], dst[k+1] = p[0], p[1]
				}
				k += 2
			}
		}
		if it.flag {
			dst[k] = float32(int32(flags >> it.bit & 1))
		}
	}
}

// flags are all flags in one word: who is out, cleared, healed, open.
func (s *State) flags() uint64 {
	f := uint64(s.Out) | uint64(s.Cleared)<<heapBit | uint64(s.Healed)<<victimBit
	if s.Open {
		f |= 1 << doorBit
	}
	return f
}

// Where flags begin in the word.
const (
	heapBit   = maxAgents
	victimBit = heapBit + maxThings
	doorBit   = victimBit + maxThings
)

// cell is where an item is, -1 for nowhere.
func (s *State) cell(it *item) int16 {
	switch it.kind {
	case heap:
		return s.Rubble[it.index]
	case victim:
		return s.Victim[it.index]
	case door:
		return s.Door
	case trap:
		return s.Trap[it.index]
	}
	return s.At[it.index]
}

// scoutSight is how many times as far as others a scout sees.
const scoutSight = 3

// sees says whether a cell is in view of an agent, or of a scout, who tells it.
func (s *State) sees(w *world, agent int, cell int16) bool {
	if cell < 0 {
		return false
	}
	to := w.cells.Points[cell]
	if k := w.scout; k >= 0 && !s.out(k) && grid.Sees(w.cells.Points[s.At[k]], to, scoutSight*w.params.Radius) {
		return true
	}
	return grid.Sees(w.cells.Points[s.At[agent]], to, w.params.Radius)
}
