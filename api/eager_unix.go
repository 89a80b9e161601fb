//go:build unix

package api

import (
	"errors"
	"net"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// eagerness is how long a connection is looked at again and again before its
// reader goes to sleep: waking it takes longer than a step does. It spends
// processor time only on a client that has just sent a request within that time
// of the last reply, as one does that steps a single environment in a loop.
const eagerness = 100 * time.Microsecond

// looking counts the connections that are being looked at. One processor is
// always left to others.
var looking atomic.Int32

// eager is a connection whose client has been quick so far, or not.
type eager struct {
	net.Conn
	raw   syscall.RawConn
	quick bool
	spent time.Time          // when to stop looking
	look  func(uintptr) bool // tryRead, made once
	buf   []byte
	n     int
}

// newEager wraps a connection; one that can't be looked at stays as it is.
func newEager(c net.Conn) net.Conn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return c
	}
	e := &eager{Conn: c, raw: raw, quick: true}
	e.look = e.tryRead
	return e
}

// Read implements net.Conn.
func (e *eager) Read(b []byte) (int, error) {
	start := time.Now()
	if e.quick && len(b) > 0 {
		if looking.Add(1) < int32(runtime.GOMAXPROCS(0)) {
			e.buf, e.n, e.spent = b, 0, start.Add(eagerness)
			_ = e.raw.Read(e.look) // what is wrong, the Read below will say
			e.buf = nil
		}
		looking.Add(-1)
		if e.n > 0 {
			n := e.n
			e.n = 0
			return n, nil
		}
	}
	n, err := e.Conn.Read(b)
	e.quick = time.Since(start) < eagerness
	return n, err
}

// tryRead reads what is there within the time, and nothing after it or at an
// end or error.
func (e *eager) tryRead(fd uintptr) bool {
	for {
		n, err := syscall.Read(int(fd), e.buf)
		if n > 0 {
			e.n = n
			return true
		}
		again := errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR)
		if !again || time.Now().After(e.spent) {
			return true
		}
	}
}
