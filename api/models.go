package api

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
)

// Models holds fitted models by name. It may be used from any goroutine; a
// session keeps the model it was built with.
type Models struct {
	mu   sync.RWMutex
	list []namedModel // sorted by name
}

type namedModel struct {
	name string
	raw  []byte // the file
}

// NewModels returns an empty store.
func NewModels() *Models { return &Models{} }

// Load adds the model of a file's content. A name that is taken by another
// model, or content that is no model, is an error; the same model again is not.
func (m *Models) Load(name string, file []byte) error {
	if !recordName.MatchString(name) {
		return refuse(errInvalid, "/name", "a model's name has letters, digits, '.', '_' and '-', got %.40q", name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i, found := slices.BinarySearchFunc(m.list, name, func(n namedModel, name string) int { return strings.Compare(n.name, name) })
	if found {
		if bytes.Equal(m.list[i].raw, file) {
			return nil
		}
		return refuse(errExists, "/name", "there is another model named %s: delete it first, or choose another name", name)
	}
	m.list = slices.Insert(m.list, i, namedModel{name: name, raw: slices.Clone(file)})
	return nil
}

func (m *Models) get(name string) (namedModel, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, n := range m.list {
		if n.name == name {
			return n, nil
		}
	}
	return namedModel{}, refuse(errNotFound, "", "there is no model %.40q", name)
}

func (m *Models) delete(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.list)
	m.list = slices.DeleteFunc(m.list, func(x namedModel) bool { return x.name == name })
	return len(m.list) < n
}

func (s *Server) listModels(c *fiber.Ctx) error {
	return s.send(c, 200, map[string]any{"models": []any{}})
}

func (s *Server) putModel(c *fiber.Ctx) error {
	if err := s.models.Load(string([]byte(c.Params("name"))), c.Request().Body()); err != nil {
		return err
	}
	return c.SendStatus(204)
}

func (s *Server) getModel(c *fiber.Ctx) error {
	m, err := s.models.get(c.Params("name"))
	if err != nil {
		return err
	}
	c.Set("Content-Type", "application/octet-stream")
	return c.Send(m.raw)
}

func (s *Server) deleteModel(c *fiber.Ctx) error {
	if !s.models.delete(c.Params("name")) {
		return refuse(errNotFound, "", "there is no model %.40q", c.Params("name"))
	}
	return c.SendStatus(204)
}
