package process

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

// modelMagic begins every file of a fitted scorer.
const modelMagic = "marlprc\x01"

// Save writes the model: the magic number, the header's length (uint32, little
// endian), the header as JSON, the weights as float32, little endian.
func (m *Model) Save(w io.Writer) error {
	header, err := json.Marshal(&m.Header)
	if err != nil {
		return err
	}
	if len(header) > maxHeader {
		return fmt.Errorf("%w: a header of %d bytes, want at most %d", ErrModel, len(header), maxHeader)
	}
	out := binary.LittleEndian.AppendUint32([]byte(modelMagic), uint32(len(header))) //nolint:gosec // bounded
	out = append(out, header...)
	for _, v := range m.weights {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	_, err = w.Write(out)
	return err
}

// LoadModel reads a file that Save wrote. Everything is checked: it returns an
// error wrapping ErrModel for any other bytes, and no file makes it allocate
// much more than its own length.
func LoadModel(r io.Reader) (*Model, error) {
	m, err := loadModel(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m, nil
}

func loadModel(r *bufio.Reader) (*Model, error) {
	var start [len(modelMagic) + 4]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(modelMagic)]) != modelMagic {
		return nil, errors.New("it doesn't begin as one")
	}
	size := binary.LittleEndian.Uint32(start[len(modelMagic):])
	if size > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes, want at most %d", size, maxHeader)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, errors.New("it ends within the header")
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
	if err := m.Header.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(4*m.Header.Weights)+1))
	if err != nil {
		return nil, err
	}
	if len(data) != 4*m.Header.Weights {
		return nil, fmt.Errorf("%d weights want %d bytes; there are fewer, or something follows them", m.Header.Weights, 4*m.Header.Weights)
	}
	m.weights = make([]float32, m.Header.Weights)
	for i := range m.weights {
		v := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !(v >= -maxWeight && v <= maxWeight) {
			return nil, fmt.Errorf("weight %d is %v, want −%v to %v", i, v, maxWeight, maxWeight)
		}
		m.weights[i] = v
	}
	return m, nil
}
