package ledger

import (
	"errors"
	"fmt"
	"path/filepath"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// ReplacedError is a file that was moved, deleted or replaced while it was in
// use: what is written now would be lost with it.
type ReplacedError struct {
	Path string
	kind error // of the format
}

// Error names the file.
func (e *ReplacedError) Error() string {
	return fmt.Sprintf("%s was moved, deleted or replaced while it was in use; what was written before is in the file as it was then", e.Path)
}

// Unwrap returns the error of the file's format.
func (e *ReplacedError) Unwrap() error { return e.kind }

// Fatal says that asking on is pointless.
func (e *ReplacedError) Fatal() bool { return true }

// DiskError is a file that can't be written. Nothing that was committed before
// is lost, and going on would pay for answers that can't be kept.
type DiskError struct {
	Path string // of the file
	Disk string // the folder whose disk it is on
	Full bool   // no space is left
	Err  error  // SQLite's
}

// Error names the file and its disk.
func (e *DiskError) Error() string {
	why := "can't be written; is its disk, that of " + e.Disk + ", there and writable?"
	if e.Full {
		why = "can't grow: no space is left on its disk, that of " + e.Disk
	}
	return fmt.Sprintf("%s %s (%v); what was committed is safe, and the same call goes on", e.Path, why, e.Err)
}

// Unwrap returns SQLite's error.
func (e *DiskError) Unwrap() error { return e.Err }

// Fatal is true: every other answer would be lost alike.
func (e *DiskError) Fatal() bool { return true }

// failure says which file an error of SQLite's is about; others stay as they are.
func (f *File) failure(err error) error {
	var known *DiskError
	if errors.As(err, &known) {
		return err
	}
	s, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	path, abs := filepath.Abs(f.Path)
	if abs != nil {
		path = f.Path
	}
	code := s.Code() & 0xff // the rest is detail
	switch code {
	case lib.SQLITE_FULL, lib.SQLITE_READONLY, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_CORRUPT:
		return &DiskError{Path: path, Disk: filepath.Dir(path), Full: code == lib.SQLITE_FULL, Err: err}
	}
	return fmt.Errorf("%s: %w", path, err)
}
