package api

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
)

// routes is the table of what is served; openapi.yaml describes each.
func (s *Server) routes() {
	a := s.app
	a.Use(s.guard)
	a.Get("/", s.page)
	a.Get("/web/:file", s.asset)
	a.Get("/healthz", s.healthz)
	a.Get("/readyz", s.readyz)
	a.Get("/metrics", s.metrics.handler)
	a.Get("/openapi.yaml", s.openapi)

	a.Get("/v1/envs", s.listEnvs)
	a.Get("/v1/envs/:env", s.getEnv)
	a.Get("/v1/critics", s.listCritics)
	a.Get("/v1/labelings", s.listLabelings)
	a.Get("/v1/labelings/:labeling", s.getLabeling)
	a.Delete("/v1/labelings/:labeling", s.cancelLabeling)
	a.Get("/v1/credit-models", s.listModels)
	a.Put("/v1/credit-models/:name", s.putModel)
	a.Get("/v1/credit-models/:name", s.getModel)
	a.Delete("/v1/credit-models/:name", s.deleteModel)

	a.Post("/v1/sessions", s.createSession)
	a.Get("/v1/sessions/:id", s.getSession)
	a.Delete("/v1/sessions/:id", s.deleteSession)
	a.Post("/v1/sessions/:id/reset", s.reset)
	a.Post("/v1/sessions/:id/step", s.step)
	a.Get("/v1/sessions/:id/render", s.render)
	a.Get("/v1/sessions/:id/words", s.words)
	a.Get("/v1/sessions/:id/events", s.events)
	a.Get("/v1/sessions/:id/observation", s.observation)
	a.Get("/v1/sessions/:id/solution", s.solution)
	a.Get("/v1/sessions/:id/state", s.getState)
	a.Put("/v1/sessions/:id/state", s.putState)
	a.Get("/v1/sessions/:id/snapshot", s.getSnapshot)
	a.Put("/v1/sessions/:id/snapshot", s.putSnapshot)
	a.Post("/v1/sessions/:id/fork", s.fork)
}

// guard stands around every handler: access, metrics, log, and panics.
func (s *Server) guard(c *fiber.Ctx) error {
	start := time.Now()
	s.active.Add(1)
	defer func() {
		s.lastUsed.Store(time.Now().UnixNano())
		s.active.Add(-1)
	}()
	err := s.access(c)
	if err == nil {
		err = s.safely(c)
	}
	if err != nil {
		_ = s.fail(c, err)
	}
	took := time.Since(start)
	route := c.Route().Path
	s.metrics.request(route, took)
	status := c.Response().StatusCode()
	if e := s.cfg.Log.Debug(); e.Enabled() {
		e.Bytes("method", c.Request().Header.Method()).Str("route", route). // ids in paths are keys
											Int("status", status).Dur("took", took).
											Int("in", len(c.Request().Body())).Msg("request")
	}
	return nil
}

// safely runs the handler; a panic becomes an error.
func (s *Server) safely(c *fiber.Ctx) (err error) {
	defer func() {
		if v := recover(); v != nil {
			s.cfg.Log.Error().Str("panic", fmt.Sprint(v)).Bytes("stack", debug.Stack()).Msg("handler panicked")
			err = refuse(errInternal, "", "internal error")
		}
	}()
	return c.Next()
}

// fail writes an error in the encoding the client asked for.
func (s *Server) fail(c *fiber.Ctx, err error) error {
	status, reply := describe(err)
	if status >= 500 && status != 501 && status != 503 {
		e := s.cfg.Log.Error().Err(err).Str("code", reply.Code)
		if f := (*pool.Failure)(nil); errors.As(err, &f) {
			e = e.Bytes("stack", f.Stack)
		}
		e.Msg("request failed")
	}
	if status == 503 {
		c.Set("Retry-After", "1")
	}
	return s.send(c, status, reply)
}

// send writes a reply that isn't on the step path.
func (s *Server) send(c *fiber.Ctx, status int, v any) error {
	asJSON := wantsJSON(c)
	b, err := encode(v, asJSON)
	if err != nil {
		return err
	}
	c.Status(status)
	setType(c, asJSON)
	return c.Send(b)
}

func (s *Server) healthz(c *fiber.Ctx) error {
	return s.send(c, 200, struct {
		Status  string `json:"status"`
		Version string `json:"version"`
		Wire    int    `json:"wire"`
	}{"ok", s.cfg.Version, Wire})
}

func (s *Server) readyz(c *fiber.Ctx) error {
	if s.stopping() {
		return refuse(errShutdown, "", "the server is shutting down")
	}
	return s.send(c, 200, struct {
		Status string `json:"status"`
	}{"ready"})
}

func (s *Server) openapi(c *fiber.Ctx) error {
	c.Set("Content-Type", "application/yaml")
	return c.Send(s.cfg.OpenAPI)
}
