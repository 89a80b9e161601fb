package main

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is no plain file stays: whoever writes to /dev/null still has one.
func TestDevicesStay(t *testing.T) {
	dir, err := os.MkdirTemp("", "m") // a socket's path is short
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	place := filepath.Join(dir, "s")
	l, err := net.Listen("unix", place)
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(place, link))
	for _, path := range []string{place, link} {
		_, err := outPlace(path)
		require.ErrorIs(t, err, errUsage)
		require.ErrorContains(t, err, "no plain file")
		require.ErrorContains(t, writeWhole(path, func(io.Writer) error { return errors.New("was called") }), "no plain file")
		c := serveCmd{ReadyFile: path}
		require.ErrorContains(t, c.announce(io.Discard, ready{}), "no plain file")
	}
	info, err := os.Lstat(place)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2, "nothing is left behind")
}
