package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// outPlace looks at where a file is to be written, before the work is done that
// it is to hold: there has to be a folder, and no folder in its own place,
// nor any of the files that are read. replaces tells whether a file stands there.
func outPlace(path string, reads ...string) (replaces bool, err error) {
	for _, r := range reads {
		if sameFile(path, r) {
			return false, badCall(fmt.Errorf("--out %s is a file that is read: it would be lost", path))
		}
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) || err == nil && !info.IsDir() {
		return false, badCall(fmt.Errorf("--out %s: there is no folder %s", path, folder))
	} else if err != nil {
		return false, badCall(fmt.Errorf("--out: %w", err))
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return false, badCall(fmt.Errorf("--out %s is a folder: a file is wanted", path))
	}
	if err := noDevice(path); err != nil {
		return false, badCall(fmt.Errorf("--out %w", err))
	}
	return err == nil, nil
}

// noDevice refuses a place in which something stands that is no plain file:
// what is written whole takes its place, and the machine would be without its
// /dev/null.
func noDevice(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file, and would be replaced by one", path)
	}
	return nil
}

// sameFile says whether two paths lead to one file.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// writtenTo says where a file went, and whether another made way.
func writtenTo(path string, replaced bool) string {
	if replaced {
		return "replaced " + path
	}
	return "written to " + path
}

// writeWhole writes a file whole or not at all: what stood there before stays
// until the new content is on disk.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := noDevice(path); err != nil {
		return err
	}
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

// modelName is the name given to a fitted model or, without one, that of its
// file without the extension.
func modelName(given, out string) string {
	if given != "" {
		return given
	}
	return strings.TrimSuffix(filepath.Base(out), filepath.Ext(out))
}
