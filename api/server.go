// Package api is the server: sessions of environments over HTTP, in msgpack or
// JSON. docs/wire.md is the idea of the protocol, openapi.yaml its exact form.
package api

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/rs/zerolog"

	"marlpit/envs"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
)

// Wire is the number of the protocol; a client refuses a server of another.
const Wire = 1

// Config is what a server is made of. Zero values mean the documented default.
type Config struct {
	Registry        envs.Registry
	Version         string
	OpenAPI         []byte                    // served at /openapi.yaml
	Token           string                    // required of every request but /healthz and the page; empty: none
	Hosts           []string                  // names the server may be called by, beside loopback's
	AnyHost         bool                      // it may be called by any name; for addresses behind a token
	IdleTimeout     time.Duration             // a session unused for this long is reaped; 30 minutes
	MaxSessions     int                       // 1024
	MaxBody         int                       // bytes of a request; 64 MiB
	MaxSessionBytes int64                     // bytes of a session's arrays; 1 GiB
	RecordDir       string                    // where recordings go; empty: recording is refused
	Models          *Models                   // fitted models; nil: none yet
	MaxModelBytes   int64                     // of all models that were uploaded or loaded; 256 MiB
	Critics         []study.LiveCritic        // that live credit and process credit may name
	Scores          map[string]*process.Table // recorded scores that process credit may name
	Scorers         map[string]*process.Model // fitted scorers that process credit may name
	StateDir        string                    // where live labellings, and answers about rounds, are kept; empty: in a temporary folder, until Shutdown
	Log             zerolog.Logger            // requests at debug, sessions at info, failures at error; the zero value logs nothing
	EventInterval   time.Duration             // least time between two events of a stream; 50 ms
	WriteTimeout    time.Duration             // a stream's reader that stalls for this long is dropped; 5 s
	LiveShare       float64                   // of the time that live labellings work at most while requests come one after another; 0.005
	LivePoll        time.Duration             // from one look of a live labelling at what its games have seen to the next; 200 ms
	LiveRetry       time.Duration             // until a critic that failed is asked again, at first; 5 s
}

// Server serves sessions. Its methods may be called from any goroutine.
type Server struct {
	cfg      Config
	app      *fiber.App
	sessions *store
	models   *Models
	live     *study.Labelings
	rounds   rounds
	metrics  *metrics
	conns    connections
	closing  chan struct{} // closed when shutdown begins
	once     sync.Once
	active   atomic.Int64 // requests being served
	lastUsed atomic.Int64 // unix nanoseconds of the last request's end
}

// New returns a server that isn't listening yet. It returns an error where the
// state folder can't be used.
func New(cfg Config) (*Server, error) {
	setDefault(&cfg.IdleTimeout, 30*time.Minute)
	setDefault(&cfg.MaxSessions, 1024)
	setDefault(&cfg.MaxBody, 64<<20)
	setDefault(&cfg.MaxSessionBytes, 1<<30)
	setDefault(&cfg.MaxModelBytes, 256<<20)
	setDefault(&cfg.EventInterval, 50*time.Millisecond)
	setDefault(&cfg.WriteTimeout, 5*time.Second)
	if cfg.Models == nil {
		cfg.Models = NewModels()
	}
	s := &Server{cfg: cfg, models: cfg.Models, rounds: rounds{tables: cfg.Scores, models: cfg.Scorers}, closing: make(chan struct{})}
	s.lastUsed.Store(time.Now().UnixNano())
	s.metrics = newMetrics(func() int { return s.sessions.count() }, cfg.Critics, func() []study.LiveProgress { return s.live.List() })
	if err := s.openLabelings(); err != nil {
		return nil, err
	}
	s.sessions = newStore(cfg.MaxSessions, cfg.IdleTimeout, s.closed)
	s.app = fiber.New(fiber.Config{
		AppName:                      "marlpit",
		BodyLimit:                    cfg.MaxBody,
		ReadTimeout:                  time.Minute,
		IdleTimeout:                  max(time.Hour, 2*cfg.IdleTimeout),
		ReadBufferSize:               16 << 10,
		WriteBufferSize:              16 << 10,
		CaseSensitive:                true,
		StrictRouting:                true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 s.fail,
	})
	s.app.Server().ConnState = s.conns.changed
	s.routes()
	s.app.Handler() // builds the routes before the first listener starts
	return s, nil
}

func setDefault[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

// Serve answers requests on a listener until Shutdown. It may be called for
// several listeners at once. Where the system has no descriptor left for
// another connection it waits until there is one.
func (s *Server) Serve(ln net.Listener) error {
	return s.app.Server().Serve(patient{ln, s.closing, s.cfg.Log})
}

// Shutdown refuses new work, ends event streams, waits for running requests
// until ctx ends, and closes all sessions and live labellings: what critics
// were asked is waited for, also until ctx ends. A request that hasn't arrived a
// second after the call isn't waited for. It returns ctx's error when requests
// were still running.
func (s *Server) Shutdown(ctx context.Context) error {
	s.once.Do(func() { close(s.closing) })
	waiting, done := context.WithCancel(ctx)
	defer done()
	go s.conns.stopReading(waiting)
	err := s.app.ShutdownWithContext(ctx)
	if err != nil {
		return errors.Join(err, s.live.Close(ctx)) // sessions may be in use
	}
	s.sessions.close()
	return errors.Join(s.live.Close(ctx), s.rounds.close())
}

// Idle is how long the server has had neither a session nor a request.
func (s *Server) Idle() time.Duration {
	if s.active.Load() > 0 || s.sessions.count() > 0 {
		return 0
	}
	return time.Since(time.Unix(0, s.lastUsed.Load()))
}

// stopping says whether shutdown has begun.
func (s *Server) stopping() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}
