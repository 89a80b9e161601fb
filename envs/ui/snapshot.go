package ui

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

// snapshotVersion is the first byte of a snapshot. What follows are a hash of
// world and parameters, four bytes little-endian, and the state as JSON.
const snapshotVersion = 1

// AppendSnapshot implements envs.Snapshotter.
func (g *Game) AppendSnapshot(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, snapshotVersion), g.hash)
	return g.AppendState(dst)
}

// Restore implements envs.Snapshotter.
func (g *Game) Restore(snapshot []byte, out *envs.Frame) error {
	data, err := g.opened(snapshot)
	if err != nil {
		return err
	}
	return g.SetState(data, out)
}

// opened is the state in a snapshot.
func (g *game) opened(snapshot []byte) ([]byte, error) {
	const head = 5
	switch {
	case len(snapshot) < head || snapshot[0] != snapshotVersion:
		return nil, fmt.Errorf("%w: %d bytes, which are no snapshot of version %d", envs.ErrSnapshot, len(snapshot), snapshotVersion)
	case binary.LittleEndian.Uint32(snapshot[1:]) != g.hash:
		return nil, fmt.Errorf("%w: of another world, or of other parameters than %+v", envs.ErrSnapshot, g.Params)
	}
	return snapshot[head:], nil
}
