package worlds

import (
	"fmt"
	"math"

	"marlpit/envs"
)

// AppendSnapshot implements envs.Snapshotter.
func (p *pixels) AppendSnapshot(dst []byte) []byte {
	v := [17]int{p.p.Agents, p.p.Height, p.p.Width, p.p.MaxCycles, p.step}
	for i, d := range p.dots {
		v[5+2*i], v[6+2*i], v[13+i] = d.y, d.x, int(one(p.moved[i]))
	}
	return appendInts(dst, 'p', v[:]...)
}

// Restore implements envs.Snapshotter.
func (p *pixels) Restore(snapshot []byte, out *envs.Frame) error {
	var v [17]int
	if err := readInts(snapshot, 'p', v[:]); err != nil {
		return err
	}
	if v[0] != p.p.Agents || v[1] != p.p.Height || v[2] != p.p.Width || v[3] != p.p.MaxCycles {
		return fmt.Errorf("%w: of a world with other parameters", envs.ErrSnapshot)
	}
	limit := p.p.MaxCycles
	if limit == 0 {
		limit = math.MaxInt32
	}
	if v[4] < 0 || v[4] > limit {
		return fmt.Errorf("%w: step %d, want 0 to %d", envs.ErrSnapshot, v[4], limit)
	}
	var dots [4]dot
	var moved [4]bool
	for i := range dots {
		d := dot{v[5+2*i], v[6+2*i]}
		if d.y < 0 || d.y >= p.p.Height || d.x < 0 || d.x >= p.p.Width || i >= p.p.Agents && d != (dot{}) {
			return fmt.Errorf("%w: dot %d at row %d, column %d", envs.ErrSnapshot, i, d.y, d.x)
		}
		if m := v[13+i]; m < 0 || m > 1 || m == 1 && (i >= p.p.Agents || v[4] == 0) {
			return fmt.Errorf("%w: moved flag %d is %d", envs.ErrSnapshot, i, m)
		}
		dots[i], moved[i] = d, v[13+i] == 1
	}
	p.step, p.dots, p.moved = v[4], dots, moved
	p.write(out, 0)
	return nil
}
