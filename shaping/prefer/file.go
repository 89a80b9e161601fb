package prefer

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

// magic begins every model file.
const magic = "marlpit\x01"

// Save writes the model: the magic number, the header's length (uint32, little
// endian), the header as JSON, then for each net, as float32 little endian, the
// weights (features, hidden), the biases (hidden,), the output weights (hidden,)
// and the output bias. Of a report for which there is no room (that of some
// hundred agents) the tables of calibration are left out, or else the whole.
func (m *Model) Save(w io.Writer) error {
	h := m.Header
	header, err := json.Marshal(&h)
	if err == nil && len(header) > maxHeader && h.Report != nil {
		h.Report = h.Report.withoutBins()
		header, err = json.Marshal(&h)
	}
	if err == nil && len(header) > maxHeader {
		h.Report = nil
		header, err = json.Marshal(&h)
	}
	if err != nil {
		return err
	}
	if len(header) > maxHeader {
		return fmt.Errorf("prefer: a header of %d bytes, want at most %d", len(header), maxHeader)
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(header)))
	out = append(out, header...)
	for i := range m.nets {
		n := &m.nets[i]
		for _, part := range [][]float32{n.in, n.b[:], n.out[:], {n.b2}} {
			for _, v := range part {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
			}
		}
	}
	_, err = w.Write(out)
	return err
}

// Load reads a model file. Everything is checked: it returns an error wrapping
// ErrFile for any bytes that Save would not write, and no file makes it
// allocate much more than its own length.
func Load(r io.Reader) (*Model, error) {
	m, err := load(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return m, nil
}

func load(r *bufio.Reader) (*Model, error) {
	var start [len(magic) + 4]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, short(err, "the start")
	}
	if string(start[:len(magic)]) != magic {
		return nil, errors.New("it doesn't begin as one")
	}
	size := binary.LittleEndian.Uint32(start[len(magic):])
	if size > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes, want at most %d", size, maxHeader)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, short(err, "the header")
	}
	m := &Model{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&m.Header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("header: something follows the JSON object")
	}
	if err := complete(raw); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := m.Header.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	for i, n := range m.Header.Nets {
		w, err := readNet(r, n.Features)
		if err != nil {
			return nil, fmt.Errorf("net %d: %w", i, err)
		}
		m.nets = append(m.nets, w)
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, err
		}
		return nil, errors.New("something follows the weights")
	}
	return m, nil
}

// readNet reads row by row: memory grows with what has come.
func readNet(r io.Reader, features int) (net, error) {
	var n net
	var row [Hidden]float32
	for range features {
		if err := readFloats(r, row[:]); err != nil {
			return n, err
		}
		n.in = append(n.in, row[:]...)
	}
	if err := readFloats(r, n.b[:]); err != nil {
		return n, err
	}
	if err := readFloats(r, n.out[:]); err != nil {
		return n, err
	}
	err := readFloats(r, row[:1])
	n.b2 = row[0]
	return n, err
}

func readFloats(r io.Reader, dst []float32) error {
	var raw [4 * Hidden]byte
	b := raw[:4*len(dst)]
	if _, err := io.ReadFull(r, b); err != nil {
		return short(err, "the weights")
	}
	for i := range dst {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if !(v >= -maxWeight && v <= maxWeight) {
			return fmt.Errorf("a weight is %v, want %v to %v", v, -maxWeight, maxWeight)
		}
		dst[i] = v
	}
	return nil
}

func short(err error, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends within %s", what)
	}
	return err
}
