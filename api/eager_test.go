//go:build unix

package api

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eagerPair is a connection over a Unix socket: the server's end, eager, and
// the client's.
func eagerPair(t *testing.T) (server, client net.Conn) {
	t.Helper()
	dir, err := os.MkdirTemp("", "mp") // t.TempDir is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	require.NoError(t, err)
	client, err = net.Dial("unix", l.Addr().String())
	require.NoError(t, err)
	c, err := l.Accept()
	require.NoError(t, err)
	server = newEager(c)
	t.Cleanup(func() { _, _, _ = server.Close(), client.Close(), l.Close() })
	return server, client
}

// What is sent arrives whole and in order, whether the client is quick or slow,
// and then the end of it.
func TestAnEagerConnectionReadsWhatAnyOtherWould(t *testing.T) {
	server, client := eagerPair(t)
	var sent []byte
	go func() {
		for i := range 200 {
			if i%20 == 0 {
				time.Sleep(3 * eagerness)
			}
			_, _ = client.Write([]byte{byte(i), byte(i >> 1), 7})
		}
		_ = client.Close()
	}()
	for i := range 200 {
		sent = append(sent, byte(i), byte(i>>1), 7)
	}
	got, err := io.ReadAll(server)
	require.NoError(t, err)
	require.Equal(t, sent, got)
}

func TestAnEagerConnectionKeepsItsDeadlineAndCanBeClosed(t *testing.T) {
	server, _ := eagerPair(t)
	require.NoError(t, server.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err := server.Read(make([]byte, 8))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, server.SetReadDeadline(time.Time{}))
	var wg sync.WaitGroup
	wg.Go(func() { _, err = server.Read(make([]byte, 8)) })
	time.Sleep(time.Millisecond)
	require.NoError(t, server.Close())
	wg.Wait()
	require.ErrorIs(t, err, net.ErrClosed)
}
