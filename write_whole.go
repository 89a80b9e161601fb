package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// writeWhole writes a file whole or not at all: what stood there before stays
// until the new content is on disk.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".marlpit-*")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
