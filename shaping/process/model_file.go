package process

import (
	"encoding/json"
	"fmt"
	"io"

	"marlpit/shaping/modelfile"
)

// modelMagic begins every file of a fitted scorer.
const modelMagic = "marlprc\x01"

// Save writes the model, in modelfile's container.
func (m *Model) Save(w io.Writer) error {
	header, err := json.Marshal(&m.Header)
	if err != nil {
		return err
	}
	out, err := modelfile.Append(nil, modelMagic, header, m.weights)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	_, err = w.Write(out)
	return err
}

// LoadModel reads a file that Save wrote. Everything is checked: it returns an
// error wrapping ErrModel for any other bytes, and no file makes it allocate
// much more than its own length.
func LoadModel(r io.Reader) (*Model, error) {
	m, err := loadModel(modelfile.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m, nil
}

func loadModel(r *modelfile.Reader) (*Model, error) {
	m := &Model{}
	if _, err := r.Header(modelMagic, &m.Header); err != nil {
		return nil, err
	}
	if err := m.Header.check(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	var err error
	if m.weights, err = r.Weights(m.Header.Weights); err != nil {
		return nil, err
	}
	return m, r.End()
}
