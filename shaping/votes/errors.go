package votes

import (
	"errors"
	"fmt"
	"path/filepath"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrFile is returned for a file that is missing, no vote file, or of a
	// newer version.
	ErrFile = errors.New("votes: unusable file")

	// ErrWorld is returned when transitions of another world are to be added.
	ErrWorld = errors.New("votes: file of another world")

	// ErrAnnotator is returned when no annotator, or more than one, is meant.
	ErrAnnotator = errors.New("which annotator")

	// ErrBusy is returned by Label while another run labels as the same
	// annotator: both would pay for the same questions.
	ErrBusy = errors.New("votes: this annotator is labelling already")

	// ErrBudget is returned by Budget.Allow when it is used up.
	ErrBudget = errors.New("votes: the budget is used up")
)

// ReplacedError is a file that was moved, deleted or replaced while it was in
// use: what is written now would be lost with it.
type ReplacedError struct{ Path string }

// Error names the file.
func (e *ReplacedError) Error() string {
	return fmt.Sprintf("votes: %s was moved, deleted or replaced while it was in use; what was written before is in the file as it was then", e.Path)
}

// Unwrap returns ErrFile.
func (e *ReplacedError) Unwrap() error { return ErrFile }

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
	return fmt.Sprintf("votes: %s %s (%v); what was committed is safe, and the same call goes on", e.Path, why, e.Err)
}

// Unwrap returns SQLite's error.
func (e *DiskError) Unwrap() error { return e.Err }

// Fatal is true: every other answer would be lost alike.
func (e *DiskError) Fatal() bool { return true }

// failure says which file an error of SQLite's is about; others stay as they are.
func (db *DB) failure(err error) error {
	var known *DiskError
	if errors.As(err, &known) {
		return err
	}
	s, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	path, abs := filepath.Abs(db.path)
	if abs != nil {
		path = db.path
	}
	code := s.Code() & 0xff // the rest is detail
	switch code {
	case lib.SQLITE_FULL, lib.SQLITE_READONLY, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_CORRUPT:
		return &DiskError{Path: path, Disk: filepath.Dir(path), Full: code == lib.SQLITE_FULL, Err: err}
	}
	return fmt.Errorf("votes: %s: %w", path, err)
}
