//go:build !windows

package main

import (
	"net"
	"syscall"
)

// listenPrivate listens on a Unix socket that only its owner may open.
func listenPrivate(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}
