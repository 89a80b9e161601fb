package api

import (
	"github.com/gofiber/fiber/v2"

	"marlpit/shaping/study"
)

// critic is what a client may know of one: never where it is asked, or with
// what key.
type critic struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

func (s *Server) listCritics(c *fiber.Ctx) error {
	critics := []critic{}
	for _, k := range s.live.Critics() {
		critics = append(critics, critic{k.Name, k.Kind})
	}
	return s.send(c, 200, struct {
		Critics []critic `json:"critics"`
	}{critics})
}

func (s *Server) listLabelings(c *fiber.Ctx) error {
	return s.send(c, 200, struct {
		Labelings []study.LiveProgress `json:"labelings"`
	}{s.live.List()})
}

func (s *Server) getLabeling(c *fiber.Ctx) error {
	x, err := s.live.Find(c.Params("labeling"))
	if err != nil {
		return err
	}
	return s.send(c, 200, x.Progress())
}

func (s *Server) cancelLabeling(c *fiber.Ctx) error {
	x, err := s.live.Find(c.Params("labeling"))
	if err != nil {
		return err
	}
	if err := x.Cancel(); err != nil {
		return err
	}
	return c.SendStatus(204)
}
