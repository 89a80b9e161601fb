// Package ledger keeps answers that were paid for in SQLite files that a user
// can open: of votes, of scores. What was committed survives a kill or a lost
// disk, a file says what it is, and one that may only be read is read.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Format is a kind of file.
type Format struct {
	Of       string   // what it holds, "votes"
	Maker    string   // the command that makes one, "marlpit collect"
	Err      error    // wrapped by what is returned for a file that is none
	ID       int      // SQLite's application id
	Schema   string   // makes a new file
	Upgrades []string // the first brings one of version 1 up to date, and so on; SQLite's user version is one more than there are
}

func (m *Format) version() int { return 1 + len(m.Upgrades) }

// File is an open file. Its methods may be called from several goroutines.
type File struct {
	*sql.DB
	Path   string
	format *Format
	opened fs.FileInfo // nil while it is being made
}

// Create opens the file of a path, and makes it if there is none. One that may
// only be read is opened for that: what writes into it fails, with a *DiskError.
// It returns an error wrapping the format's where the file is something else.
func Create(ctx context.Context, path string, format *Format) (*File, error) {
	if err := sound(ctx, path, format); err != nil {
		return nil, err
	}
	f, err := open(ctx, path, toWrite, format)
	if mode := toRead(path); refused(err) && mode != "" {
		f, err = open(ctx, path, mode, format)
	}
	if err != nil {
		return nil, explain(path, err, format)
	}
	if f.opened, err = os.Stat(path); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", format.Err, err), f.Close())
	}
	return f, nil
}

// Open opens an existing file. It returns an error wrapping the format's where
// there is none, or it is something else.
func Open(ctx context.Context, path string, format *Format) (*File, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s; `%s` makes one", format.Err, path, format.Maker)
	}
	return Create(ctx, path, format)
}

func connect(path, mode string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(absolute)}).EscapedPath()+mode)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one writer; others may read the file meanwhile
	return db, nil
}

func open(ctx context.Context, path, mode string, format *Format) (*File, error) {
	db, err := connect(path, mode)
	if err != nil {
		return nil, err
	}
	f := &File{DB: db, Path: path, format: format}
	if err := f.prepare(ctx); err != nil {
		_ = f.Close() // it says no more than err
		return nil, err
	}
	return f, nil
}

// prepare checks what the file is, makes an empty one, and brings an old one up to date.
func (f *File) prepare(ctx context.Context) error {
	var id, version, tables int
	look := func(q interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) error {
		return q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
			(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)`).Scan(&id, &version, &tables)
	}
	latest := f.format.version()
	switch err := look(f); {
	case err != nil:
		return f.Unreadable(err)
	case tables > 0 && id != f.format.ID:
		return fmt.Errorf("%w: %s is a database, but not of %s", f.format.Err, f.Path, f.format.Of)
	case tables > 0 && (version < 1 || version > latest):
		return fmt.Errorf("%w: %s has version %d of the format, this program knows 1 to %d", f.format.Err, f.Path, version, latest)
	case version == latest:
		return nil
	}
	return f.Write(ctx, func(tx *sql.Tx) error {
		if err := look(tx); err != nil || version == latest { // another process was faster
			return err
		}
		steps := []string{f.format.Schema}
		if tables > 0 {
			steps = f.format.Upgrades[version-1:]
		}
		for _, step := range append(steps, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", f.format.ID, latest)) {
			if _, err := tx.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		return nil
	})
}

// there is an error, a *ReplacedError, where the path is no longer that of the
// open file.
func (f *File) there() error {
	if f.opened == nil {
		return nil
	}
	now, err := os.Stat(f.Path)
	if err != nil || !os.SameFile(now, f.opened) {
		return &ReplacedError{Path: f.Path, kind: f.format.Err}
	}
	return nil
}

// Write runs do in a transaction and commits it, synchronously. It returns a
// *DiskError where the disk doesn't take it, a *ReplacedError where the file is
// no longer there.
func (f *File) Write(ctx context.Context, do func(*sql.Tx) error) error {
	if err := f.there(); err != nil {
		return err
	}
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return f.failure(err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // it says no more than err; SQLite may have rolled back already
		return f.failure(err)
	}
	return f.failure(tx.Commit())
}

// Unreadable is the error of what was read from the file and can't be: it is
// damaged, or others have written into it.
func (f *File) Unreadable(err error) error {
	return fmt.Errorf("%w: %s: %w", f.format.Err, f.Path, err)
}

// Now is the time as files have it.
func Now() string { return time.Now().UTC().Format(time.RFC3339Nano) }
