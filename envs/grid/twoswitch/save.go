package twoswitch

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

// A snapshot is 1 byte version, 4 bytes layout, 4 bytes steps played, 1 byte
// flags (pressed a, pressed b, ended), then 2 bytes cell an agent; little-endian.
const (
	snapshotVersion = 1
	snapshotHead    = 10
)

// AppendSnapshot implements envs.Snapshotter.
func (g *Game) AppendSnapshot(dst []byte) []byte {
	s := &g.now
	dst = append(dst, snapshotVersion)
	dst = binary.LittleEndian.AppendUint32(dst, g.hash)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.T))
	var flags byte
	for k, on := range [...]bool{s.Pressed[0], s.Pressed[1], s.ended} {
		if on {
			flags |= 1 << k
		}
	}
	dst = append(dst, flags)
	for _, c := range s.At[:g.agents] {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(c))
	}
	return dst
}

// Restore implements envs.Snapshotter.
func (g *Game) Restore(snapshot []byte, out *envs.Frame) error {
	var s State
	if err := s.read(g.world, snapshot); err != nil {
		return err
	}
	g.now, g.before = s, s
	g.write(out, 0)
	return nil
}

// read reads a snapshot and checks that it is a form of state a game can have.
func (s *State) read(w *world, b []byte) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: two-switch-v1: "+format, append([]any{envs.ErrSnapshot}, a...)...)
	}
	if want := snapshotHead + 2*w.agents; len(b) != want {
		return bad("%d bytes, want %d", len(b), want)
	}
	if b[0] != snapshotVersion {
		return bad("version %d, want %d", b[0], snapshotVersion)
	}
	if binary.LittleEndian.Uint32(b[1:]) != w.hash {
		return bad("taken with other parameters")
	}
	limit := uint32(w.params.MaxCycles)
	t := binary.LittleEndian.Uint32(b[5:])
	if t > maxSteps || limit > 0 && t > limit {
		return bad("%d steps played, limit %d", t, limit)
	}
	flags := b[9]
	if flags > 7 || w.held && flags&3 != 0 {
		return bad("flags %#x", flags)
	}
	*s = State{T: int32(t), Pressed: [2]bool{flags&1 != 0, flags&2 != 0}}
	for i := range w.agents {
		c := binary.LittleEndian.Uint16(b[snapshotHead+2*i:])
		if int(c) >= w.cells.Len() {
			return bad("agent_%d in cell %d of %d", i, c, w.cells.Len())
		}
		s.At[i] = int16(c)
	}
	pressed := s.Pressed
	s.settle(w)
	if s.Pressed != pressed {
		return bad("an agent stands on a switch that is not pressed")
	}
	if !w.held && !w.open(s) {
		for i, c := range s.At[:w.agents] {
			if w.right[c] {
				return bad("agent_%d is beyond a door that was never open", i)
			}
		}
	}
	if s.success && t == 0 {
		return bad("success before the first step")
	}
	s.ended = s.success || limit > 0 && t >= limit
	if s.ended != (flags&4 != 0) {
		return bad("the flag of the end disagrees with the places and steps")
	}
	return nil
}

// Clone implements envs.Cloner.
func (g *Game) Clone() envs.Env {
	return &Game{world: g.world, now: g.now, before: g.before}
}

// CloneInto implements envs.Cloner.
func (g *Game) CloneInto(dst envs.Env) {
	d, ok := dst.(*Game)
	if !ok || d.hash != g.hash {
		panic("twoswitch: CloneInto: the other environment is not of the same type and parameters")
	}
	d.world, d.now, d.before = g.world, g.now, g.before
}
