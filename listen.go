package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"
)

// listenUnix listens on a Unix socket. A socket left over by a dead server is
// replaced; one that somebody answers on, or any other file, is an error. The
// file goes away when the listener is closed.
func listenUnix(path string) (net.Listener, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return listenPrivate(path)
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSocket == 0:
		return nil, fmt.Errorf("%s is no socket: it is left alone", path)
	}
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		_ = c.Close()
		return nil, fmt.Errorf("somebody listens on %s already", path)
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return listenPrivate(path)
}

// loopback says whether an address to listen on is reachable from this machine
// only.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
