package api

import (
	"embed"
	"path"

	"github.com/gofiber/fiber/v2"
)

//go:embed web
var web embed.FS

// kinds are the media types of the page's files, the same on every system.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// page is where a person watches a session by its view id. It holds nothing of
// any session and needs no token; what it asks for does.
func (s *Server) page(c *fiber.Ctx) error { return s.file(c, "index.html") }

func (s *Server) asset(c *fiber.Ctx) error { return s.file(c, string([]byte(c.Params("file")))) }

func (s *Server) file(c *fiber.Ctx, name string) error {
	b, err := web.ReadFile(path.Join("web", path.Base(name)))
	if err != nil {
		return refuse(errNotFound, "", "there is no file %.40q", name)
	}
	c.Set("Content-Type", kinds[path.Ext(name)])
	c.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'")
	return c.Send(b)
}
