package api

import (
	"bytes"
	"crypto/subtle"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

const (
	typeMsgpack = "application/msgpack"
	typeJSON    = "application/json"
)

// access refuses a request before anything of it is read: encodings other than
// identity (a few bytes could inflate to gigabytes), a Host or an Origin that
// isn't this server's (a web page may have been made to point here), a missing
// token, and anything but questions about health once shutdown has begun.
func (s *Server) access(c *fiber.Ctx) error {
	path := c.Path()
	if e := c.Request().Header.Peek("Content-Encoding"); len(e) > 0 && !bytes.EqualFold(e, []byte("identity")) {
		return refuse(errUnsupported, "", "Content-Encoding is identity or absent, got %.40q", e)
	}
	if c.Context().LocalAddr().Network() != "unix" {
		if err := s.checkHost(c); err != nil {
			return err
		}
	}
	if path == "/healthz" || path == "/" || strings.HasPrefix(path, "/web/") {
		return nil
	}
	if s.cfg.Token != "" {
		got, ok := strings.CutPrefix(c.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(got), []byte(s.cfg.Token)) != 1 {
			c.Set("WWW-Authenticate", "Bearer")
			return refuse(errUnauthorized, "", "the header Authorization: Bearer … is missing or holds another token")
		}
	}
	if s.stopping() && path != "/readyz" {
		c.Context().SetConnectionClose()
		return refuse(errShutdown, "", "the server is shutting down")
	}
	return nil
}

func (s *Server) checkHost(c *fiber.Ctx) error {
	host := string(c.Request().Header.Host())
	if !s.known(hostname(host)) {
		return refuse(errHost, "", "Host %.80q is not this server's", host)
	}
	origin := string(c.Request().Header.Peek("Origin"))
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host != host || u.Scheme != "http" && u.Scheme != "https" {
		return refuse(errHost, "", "Origin %.80q is not this server's", origin)
	}
	return nil
}

func (s *Server) known(host string) bool {
	switch host {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return s.cfg.AnyHost || slices.Contains(s.cfg.Hosts, host)
}

// hostname is a Host header without its port and brackets.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.Trim(host, "[]")
}

// body opens a request's body as its Content-Type says. What it reads is
// borrowed memory. An absent body reads as an empty map.
func (s *Server) body(c *fiber.Ctx) (reader, error) {
	raw := c.Request().Body()
	kind := mediaType(c.Request().Header.ContentType())
	switch kind {
	case typeJSON:
		if len(raw) == 0 {
			break
		}
		b, err := fromJSON(raw)
		if err != nil {
			return reader{}, err
		}
		return open(b, true)
	case typeMsgpack, "":
	default:
		return reader{}, refuse(errUnsupported, "", "Content-Type is %s or %s, got %.60q", typeMsgpack, typeJSON, kind)
	}
	if len(raw) == 0 {
		return open([]byte{0x80}, kind == typeJSON)
	}
	return open(raw, false)
}

// mediaType is a Content-Type without its parameters.
func mediaType(b []byte) string {
	if string(b) == typeMsgpack {
		return typeMsgpack
	}
	kind, _, _ := strings.Cut(string(b), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// wantsJSON says how to write the reply: as Accept says where it names one of
// the two, else as the request's body was written, else as JSON, which a person
// with curl or a browser can read.
func wantsJSON(c *fiber.Ctx) bool {
	accept := c.Request().Header.Peek("Accept")
	if string(accept) == typeMsgpack {
		return false
	}
	j, m := bytes.Index(accept, []byte(typeJSON)), bytes.Index(accept, []byte(typeMsgpack))
	if j >= 0 || m >= 0 {
		return j >= 0 && (m < 0 || j < m)
	}
	switch mediaType(c.Request().Header.ContentType()) {
	case typeMsgpack:
		return false
	case "": // a body is read as msgpack
		return len(c.Request().Body()) == 0
	}
	return true
}

func setType(c *fiber.Ctx, asJSON bool) {
	if asJSON {
		c.Response().Header.SetContentType(typeJSON)
	} else {
		c.Response().Header.SetContentType(typeMsgpack)
	}
}
