package api

import (
	"bytes"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"

	"marlpit/envs"
	"marlpit/shaping/prefer"
	"marlpit/wrappers"
)

// Models holds fitted models by name. It may be used from any goroutine; a
// session keeps the model it was built with.
type Models struct {
	library wrappers.Library
	mu      sync.Mutex
	files   map[string][]byte // as they came
}

// NewModels returns an empty store.
func NewModels() *Models { return &Models{files: map[string][]byte{}} }

// Load adds the model of a file's content. A name that is taken by another
// model, or content that is no model, is an error; the same model again is not.
func (m *Models) Load(name string, file []byte) error {
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
	return nil, refuse(errNotFound, "", "there is no model %.40q", name)
}

func (m *Models) remove(name string) error {
	if _, err := m.file(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
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

// buildReward turns the reward of a creation request into a wrapper and what
// its options resolved to.
func buildReward(template envs.Env, reward any, models *Models) (envs.Wrapper, map[string]any, error) {
	r, err := wrappers.ParseReward(reward)
	if err != nil {
		return nil, nil, err
	}
	return wrappers.Build(template, r, &models.library)
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
	if err := s.models.Load(string([]byte(c.Params("name"))), c.Request().Body()); err != nil {
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
