package prefer

import (
	"encoding/json"
	"fmt"
	"io"

	"marlpit/shaping/modelfile"
)

// magic begins every model file.
const magic = "marlpit\x01"

// Save writes the model, in modelfile's container. The weights are for each net
// those of the inputs (features, hidden), the biases (hidden,), the output
// weights (hidden,) and the output bias. Of a report for which there is no room
// (that of some hundred agents) the tables of calibration are left out, or else
// the whole.
func (m *Model) Save(w io.Writer) error {
	h := m.Header
	header, err := json.Marshal(&h)
	if err == nil && len(header) > modelfile.MaxHeader && h.Report != nil {
		h.Report = h.Report.withoutBins()
		header, err = json.Marshal(&h)
	}
	if err == nil && len(header) > modelfile.MaxHeader {
		h.Report = nil
		header, err = json.Marshal(&h)
	}
	if err != nil {
		return err
	}
	var weights [][]float32
	for i := range m.nets {
		weights = append(weights, m.nets[i].parts()...)
	}
	out, err := modelfile.Append(nil, magic, header, weights...)
	if err != nil {
		return fmt.Errorf("prefer: %w", err)
	}
	_, err = w.Write(out)
	return err
}

// Load reads a model file. Everything is checked: it returns an error wrapping
// ErrFile for any bytes that Save would not write, and no file makes it
// allocate much more than its own length.
func Load(r io.Reader) (*Model, error) {
	m, err := load(modelfile.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return m, nil
}

func load(r *modelfile.Reader) (*Model, error) {
	m := &Model{}
	raw, err := r.Header(magic, &m.Header)
	if err != nil {
		return nil, err
	}
	if err := complete(raw); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := m.Header.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	for i, n := range m.Header.Nets {
		w, err := r.Weights(weightCount(n.Features))
		if err != nil {
			return nil, fmt.Errorf("net %d: %w", i, err)
		}
		m.nets = append(m.nets, newNet(w))
	}
	return m, r.End()
}
