package api

import (
	"bytes"
	"math"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"

	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// Models holds fitted models by name. It may be used from any goroutine; a
// session keeps the model it was built with.
type Models struct {
	library wrappers.Library
	mu      sync.Mutex
	files   map[string][]byte // as they came
	bytes   int64             // of files; each counts as modelLeast at least
}

// modelLeast is what a model takes beside its file.
const modelLeast = 4 << 10

func modelBytes(file []byte) int64 { return max(int64(len(file)), modelLeast) }

// NewModels returns an empty store.
func NewModels() *Models { return &Models{files: map[string][]byte{}} }

// Load adds the model of a file's content. A name that is taken by another
// model, or content that is no model, is an error; the same model again is not.
func (m *Models) Load(name string, file []byte) error { return m.add(name, file, math.MaxInt64) }

// add loads a model unless all together would be more bytes than most.
func (m *Models) add(name string, file []byte, most int64) error {
	if !recordName.MatchString(name) {
		return refuse(errInvalid, "/name", "a model's name has letters, digits, '.', '_' and '-', got %.40q", name)
	}
	model, err := prefer.Load(bytes.NewReader(file))
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, taken := m.files[name]; taken {
		if bytes.Equal(have, file) {
			return nil
		}
		return refuse(errExists, "/name", "there is another model named %s: delete it first, or choose another name", name)
	}
	if then := m.bytes + modelBytes(file); then > most {
		return refuse(errTooLarge, "", "the %d models there are and this one would be %d bytes, this server holds %d: delete one", len(m.files), then, most)
	}
	m.bytes += modelBytes(file)
	m.files[name] = slices.Clone(file)
	m.library.Add(name, model)
	return nil
}

func (m *Models) file(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.files[name]; ok {
		return b, nil
	}
	return nil, noModel(name)
}

func noModel(name string) error { return refuse(errNotFound, "", "there is no model %.40q", name) }

func (m *Models) remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, ok := m.files[name]
	if !ok {
		return noModel(name)
	}
	m.bytes -= modelBytes(file)
	delete(m.files, name)
	m.library.Remove(name)
	return nil
}

// headers describes all models, sorted by the names they are loaded under.
func (m *Models) headers() []prefer.Header {
	out := []prefer.Header{}
	for _, n := range m.library.List() {
		h := n.Model.Header
		h.Name = n.Name
		out = append(out, h)
	}
	return out
}

func (s *Server) listModels(c *fiber.Ctx) error {
	return s.send(c, 200, struct {
		Models []prefer.Header `json:"models"`
	}{s.models.headers()})
}

func (s *Server) putModel(c *fiber.Ctx) error {
	switch mediaType(c.Request().Header.ContentType()) {
	case "application/octet-stream", "":
	default:
		return refuse(errUnsupported, "", "a model is uploaded as application/octet-stream")
	}
	if err := s.models.add(string([]byte(c.Params("name"))), c.Request().Body(), s.cfg.MaxModelBytes); err != nil {
		return err
	}
	return c.SendStatus(204)
}

func (s *Server) getModel(c *fiber.Ctx) error {
	b, err := s.models.file(c.Params("name"))
	if err != nil {
		return err
	}
	c.Set("Content-Type", "application/octet-stream")
	return c.Send(b)
}

func (s *Server) deleteModel(c *fiber.Ctx) error {
	if err := s.models.remove(c.Params("name")); err != nil {
		return err
	}
	return c.SendStatus(204)
}
