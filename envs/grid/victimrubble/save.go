package victimrubble

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

// A snapshot is 1 byte version, 4 bytes parameters, 4 bytes steps played, 4
// bytes heaps cleared, 4 victims healed, 4 agents out, 1 byte flags (door open,
// ended), then 2 bytes a cell: of agents, and where places are drawn of rubble,
// victims, traps and the door; little-endian.
const (
	snapshotVersion = 1
	snapshotHead    = 22
)

// placed are the places that a snapshot holds.
func (s *State) placed(w *world) [][]int16 {
	out := [][]int16{s.At[:w.agents]}
	if w.random {
		out = append(out, s.Rubble[:w.rubble], s.Victim[:w.victims], s.Trap[:w.traps])
	}
	return out
}

// AppendSnapshot implements envs.Snapshotter.
func (g *Game) AppendSnapshot(dst []byte) []byte {
	s := &g.now
	dst = append(dst, snapshotVersion)
	for _, v := range [...]uint32{g.hash, uint32(s.T), s.Cleared, s.Healed, s.Out} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	var flags byte
	if s.Open {
		flags |= 1
	}
	if s.ended {
		flags |= 2
	}
	dst = append(dst, flags)
	for _, cells := range s.placed(g.world) {
		for _, c := range cells {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(c))
		}
	}
	return binary.LittleEndian.AppendUint16(dst, uint16(s.Door))
}

// Restore implements envs.Snapshotter.
func (g *Game) Restore(snapshot []byte, out *envs.Frame) error {
	var s State
	if err := s.read(g.world, snapshot); err != nil {
		return err
	}
	g.now, g.before = s, s
	g.write(out, 0, 0)
	return nil
}

func bad(format string, a ...any) error {
	return fmt.Errorf("%w: victim-rubble-v1: "+format, append([]any{envs.ErrSnapshot}, a...)...)
}

// read reads a snapshot and checks that it is a form of state a game can have.
func (s *State) read(w *world, b []byte) error {
	*s = w.start
	n := snapshotHead + 2 // with the door
	for _, cells := range s.placed(w) {
		n += 2 * len(cells)
	}
	if len(b) != n {
		return bad("%d bytes, want %d", len(b), n)
	}
	if b[0] != snapshotVersion {
		return bad("version %d, want %d", b[0], snapshotVersion)
	}
	head := func(i int) uint32 { return binary.LittleEndian.Uint32(b[1+4*i:]) }
	if head(0) != w.hash {
		return bad("taken with other parameters")
	}
	if t := head(1); t > maxSteps || w.params.MaxCycles > 0 && t > uint32(w.params.MaxCycles) {
		return bad("%d steps played, limit %d", t, w.params.MaxCycles)
	}
	s.T, s.Cleared, s.Healed, s.Out = int32(head(1)), head(2), head(3), head(4)
	flags := b[snapshotHead-1]
	s.Open = flags&1 != 0
	if s.Cleared&^all(w.rubble) != 0 || s.Healed&^all(w.victims) != 0 || s.Out&^all(w.agents) != 0 || flags > 3 || s.Open && !w.door {
		return bad("flags %#x, %#x, %#x, %#x", s.Cleared, s.Healed, s.Out, flags)
	}
	at := snapshotHead
	next := func() int16 { at += 2; return int16(binary.LittleEndian.Uint16(b[at-2:])) }
	for _, cells := range s.placed(w) {
		for i := range cells {
			cells[i] = next()
		}
	}
	doorway := next()
	if !w.random && doorway != s.Door {
		return bad("the door in cell %d, want %d", doorway, s.Door)
	}
	s.Door = doorway
	return s.check(w, flags&2 != 0)
}

// Clone implements envs.Cloner.
func (g *Game) Clone() envs.Env {
	return &Game{world: g.world, now: g.now, before: g.before}
}

// CloneInto implements envs.Cloner.
func (g *Game) CloneInto(dst envs.Env) {
	d, ok := dst.(*Game)
	if !ok || d.hash != g.hash {
		panic("victimrubble: CloneInto: the other environment is not of the same type and parameters")
	}
	d.world, d.now, d.before = g.world, g.now, g.before
}
