package worlds

import (
	"encoding/binary"
	"fmt"

	"marlpit/envs"
)

const snapshotVersion = 1

// appendInts appends a snapshot: version, a letter for the world, int64s little-endian.
func appendInts(dst []byte, world byte, values ...int) []byte {
	dst = append(dst, snapshotVersion, world)
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

// readInts fills values from a snapshot of that world. It returns an error
// wrapping envs.ErrSnapshot when the bytes are of another form.
func readInts(snapshot []byte, world byte, values []int) error {
	if want := 2 + 8*len(values); len(snapshot) != want {
		return fmt.Errorf("%w: %d bytes, want %d", envs.ErrSnapshot, len(snapshot), want)
	}
	if snapshot[0] != snapshotVersion || snapshot[1] != world {
		return fmt.Errorf("%w: version %d of world %q, want %d of %q", envs.ErrSnapshot, snapshot[0], snapshot[1], snapshotVersion, world)
	}
	for i := range values {
		values[i] = int(binary.LittleEndian.Uint64(snapshot[2+8*i:]))
	}
	return nil
}
