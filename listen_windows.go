package main

import "net"

// listenPrivate listens on a Unix socket; who may open it is the folder's matter.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }
