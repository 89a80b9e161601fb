// Package modelfile is the container that fitted models are kept in: a magic
// number of 8 bytes that names the kind, the header's length (uint32), the
// header as JSON, and the weights as float32. Numbers are little endian. What
// the header says is the models' own matter.
package modelfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// What a file may hold.
const (
	MaxHeader = 1 << 18 // bytes
	MaxWeight = 1e4     // absolute value of one
)

// magicSize is the length of every magic number.
const magicSize = 8

// chunk is how many weights are read at a time: memory grows with what has come.
const chunk = 1 << 10

// Append appends a file: the magic number, the header and the weights, part
// after part. A header that is too long is an error.
func Append(dst []byte, magic string, header []byte, weights ...[]float32) ([]byte, error) {
	if len(magic) != magicSize {
		panic(fmt.Sprintf("modelfile: a magic number of %d bytes, want %d", len(magic), magicSize))
	}
	if len(header) > MaxHeader {
		return nil, tooLong(len(header))
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, magic...), uint32(len(header))) //nolint:gosec // bounded
	dst = append(dst, header...)
	for _, part := range weights {
		for _, v := range part {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
	}
	return dst, nil
}

// Reader reads a file that Append made, in its order: Header, then Weights until
// all are read, then End. Errors say what is wrong with the file. No file makes
// it allocate much more than its own length.
type Reader struct {
	r *bufio.Reader
}

// NewReader reads a file from r.
func NewReader(r io.Reader) *Reader { return &Reader{bufio.NewReader(r)} }

// Header decodes the header of a file of this magic number into dst, and returns
// its bytes. Fields that dst doesn't have are an error.
func (x *Reader) Header(magic string, dst any) (raw []byte, err error) {
	var start [magicSize + 4]byte
	n, err := io.ReadFull(x.r, start[:])
	if came := start[:min(n, magicSize)]; string(came) != magic[:len(came)] {
		return nil, errors.New("it doesn't begin as one")
	}
	if err != nil {
		return nil, short(err, "the start")
	}
	size := binary.LittleEndian.Uint32(start[magicSize:])
	if size > MaxHeader {
		return nil, tooLong(int(size))
	}
	raw = make([]byte, size)
	if _, err := io.ReadFull(x.r, raw); err != nil {
		return nil, short(err, "the header")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(dst); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("header: something follows the JSON object")
	}
	return raw, nil
}

// Weights reads the next n weights.
func (x *Reader) Weights(n int) ([]float32, error) {
	var raw [4 * chunk]byte
	out := make([]float32, 0, min(n, chunk))
	for len(out) < n {
		b := raw[:4*min(chunk, n-len(out))]
		if _, err := io.ReadFull(x.r, b); err != nil {
			return nil, short(err, "the weights")
		}
		for ; len(b) > 0; b = b[4:] {
			v := math.Float32frombits(binary.LittleEndian.Uint32(b))
			if !Bounded(v) {
				return nil, fmt.Errorf("weight %d is %v, want %v to %v", len(out), v, -MaxWeight, MaxWeight)
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// Bounded says whether every weight is one that a file may hold.
func Bounded(weights ...float32) bool {
	for _, v := range weights {
		if !(v >= -MaxWeight && v <= MaxWeight) {
			return false
		}
	}
	return true
}

// End is an error where something follows.
func (x *Reader) End() error {
	switch _, err := x.r.ReadByte(); {
	case err == nil:
		return errors.New("something follows the weights")
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

func tooLong(header int) error {
	return fmt.Errorf("a header of %d bytes, want at most %d", header, MaxHeader)
}

func short(err error, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends within %s", what)
	}
	return err
}
