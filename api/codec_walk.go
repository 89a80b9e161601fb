package api

import "encoding/binary"

// maxDepth is the deepest nesting of a body: four levels carry any request, the
// rest is room for parameters.
const maxDepth = 32

// walk checks that b starts with one complete msgpack value and returns where
// it ends. It allocates nothing and recurses nowhere: a count that is claimed
// has to fit into the bytes that are left, so that a few bytes can never make a
// decoder reserve memory, and nesting is bounded.
func walk(b []byte) (int, error) {
	var left [maxDepth]uint64 // elements still to come, by depth
	left[0] = 1
	depth, i := 0, 0
	for {
		for left[depth] == 0 {
			if depth == 0 {
				return i, nil
			}
			depth--
		}
		left[depth]--
		if i >= len(b) {
			return i, refuse(errBadRequest, "", "the body ends at byte %d, in the middle of a value", i)
		}
		at := i
		head, size, count, ok := shape(b[i:])
		if !ok {
			return i, refuse(errBadRequest, "", "byte %d: 0x%02x begins no msgpack value, or is cut off", at, b[at])
		}
		i += head
		rest := uint64(len(b) - i)
		if size > rest || count > rest {
			return i, refuse(errBadRequest, "", "byte %d: claims %d bytes or elements, %d bytes are left", at, max(size, count), rest)
		}
		i += int(size)
		if count > 0 {
			if depth+1 == maxDepth {
				return i, refuse(errBadRequest, "", "byte %d: nested deeper than %d", at, maxDepth)
			}
			depth++
			left[depth] = count
		}
	}
}

// shape reads the head of the value at b[0]: the length of the head, the bytes
// of a scalar's content after it, and the elements of a container (a map's
// keys and values both count).
func shape(b []byte) (head int, size, count uint64, ok bool) {
	t := b[0]
	switch {
	case t < 0x80 || t >= 0xe0:
		return 1, 0, 0, true
	case t < 0x90:
		return 1, 0, 2 * uint64(t&0x0f), true
	case t < 0xa0:
		return 1, 0, uint64(t & 0x0f), true
	case t < 0xc0:
		return 1, uint64(t & 0x1f), 0, true
	}
	switch t {
	case 0xc0, 0xc2, 0xc3:
		return 1, 0, 0, true
	case 0xca, 0xd2, 0xce:
		return 1, 4, 0, true
	case 0xcb, 0xd3, 0xcf:
		return 1, 8, 0, true
	case 0xcc, 0xd0:
		return 1, 1, 0, true
	case 0xcd, 0xd1:
		return 1, 2, 0, true
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return 1, 1 + uint64(1)<<(t-0xd4), 0, true
	}
	width := 0
	switch t {
	case 0xc4, 0xc7, 0xd9:
		width = 1
	case 0xc5, 0xc8, 0xda, 0xdc, 0xde:
		width = 2
	case 0xc6, 0xc9, 0xdb, 0xdd, 0xdf:
		width = 4
	default: // 0xc1 is never used
		return 0, 0, 0, false
	}
	if len(b) < 1+width {
		return 0, 0, 0, false
	}
	n := bigEndian(b[1 : 1+width])
	switch t {
	case 0xc7, 0xc8, 0xc9:
		return 1 + width, n + 1, 0, true
	case 0xdc, 0xdd:
		return 1 + width, 0, n, true
	case 0xde, 0xdf:
		return 1 + width, 0, 2 * n, true
	}
	return 1 + width, n, 0, true
}

// bigEndian reads 1, 2, 4 or 8 bytes.
func bigEndian(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return binary.BigEndian.Uint64(b)
}
