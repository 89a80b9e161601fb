//go:build !unix

package api

import "net"

// newEager leaves a connection as it is where it can't be read without waiting.
func newEager(c net.Conn) net.Conn { return c }
