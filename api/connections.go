package api

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/valyala/fasthttp"
)

// lateGrace is how long a request may still be arriving once shutdown has
// begun. It would be refused anyway.
const lateGrace = time.Second

// connections are those that are open, so that shutdown needn't wait for
// clients that connected and never sent a whole request.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// changed follows a connection's state; it is the HTTP server's hook.
func (o *connections) changed(c net.Conn, state fasthttp.ConnState) {
	switch state {
	case fasthttp.StateNew:
		o.mu.Lock()
		if o.open == nil {
			o.open = map[net.Conn]struct{}{}
		}
		o.open[c] = struct{}{}
		o.mu.Unlock()
	case fasthttp.StateClosed, fasthttp.StateHijacked:
		o.mu.Lock()
		delete(o.open, c)
		o.mu.Unlock()
	}
}

// stopReading ends, again and again until ctx ends, whatever waits for bytes of
// a client. A request that was read already isn't concerned.
func (o *connections) stopReading(ctx context.Context) {
	wait := time.NewTimer(lateGrace)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		o.mu.Lock()
		for c := range o.open {
			_ = c.SetReadDeadline(time.Unix(1, 0))
		}
		o.mu.Unlock()
		wait.Reset(100 * time.Millisecond)
	}
}

// patient is a listener that waits where the system is short of descriptors or
// memory for another connection: that passes, and sessions are worth keeping.
type patient struct {
	net.Listener
	closing <-chan struct{}
	log     zerolog.Logger
}

// Accept implements net.Listener.
func (l patient) Accept() (net.Conn, error) {
	pause := 5 * time.Millisecond
	for {
		c, err := l.Listener.Accept()
		if err == nil {
			return newEager(c), nil
		}
		if !passing(err) {
			return nil, err
		}
		if pause < time.Second {
			if pause *= 2; pause >= time.Second {
				l.log.Error().Err(err).Msg("no connection can be accepted at present")
			}
		}
		select {
		case <-l.closing:
			return nil, net.ErrClosed
		case <-time.After(pause):
		}
	}
}

// passing says whether a failure to accept a connection is no reason to end.
func passing(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
