package api_test

import (
	"context"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/api"
)

// poor is a listener of a process that has no descriptor left at first.
type poor struct {
	net.Listener
	failures atomic.Int32
}

func (l *poor) Accept() (net.Conn, error) {
	if l.failures.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

func TestAShortageOfDescriptorsDoesNotEndTheServer(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &poor{Listener: inner}
	l.failures.Store(4)
	s, err := api.New(api.Config{Version: "test"})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	c, err := net.DialTimeout("tcp", inner.Addr().String(), 5*time.Second)
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(5*time.Second)))
	_, err = c.Write([]byte("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
	require.NoError(t, err)
	line := make([]byte, 15)
	_, err = c.Read(line)
	require.NoError(t, err)
	assert.Equal(t, "HTTP/1.1 200 OK", string(line))
	require.NoError(t, c.Close())
	require.NoError(t, s.Shutdown(context.Background()))
	require.NoError(t, <-ended)
}

func TestShutdownWaitsForNobodyWhoNeverAsked(t *testing.T) {
	for name, sent := range map[string]string{
		"nothing":        "",
		"half a head":    "POST /v1/sessions HTTP/1.1\r\nHost: loc",
		"half a body":    "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab",
		"one and a half": "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea",
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, api.Config{})
			c, err := net.Dial("tcp", h.tcp)
			require.NoError(t, err)
			defer func() { _ = c.Close() }()
			_, err = c.Write([]byte(sent))
			require.NoError(t, err)
			time.Sleep(50 * time.Millisecond)
			ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
			defer cancel()
			require.NoError(t, h.Shutdown(ctx))
		})
	}
}
