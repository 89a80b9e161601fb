// Package votes keeps transitions, the exchanges with critics about them, and
// their votes in one SQLite file that a user can open. An answer is committed,
// synchronously, before anything uses it, so a labelling that is killed loses
// at most what was under way, and asks only what is missing when it goes on.
package votes

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// What a new file is made of, and what brings one of version 1 up to date.
var (
	//go:embed schema.sql
	schema string
	//go:embed labelling.sql
	labellingTables string
	//go:embed views.sql
	views string
	//go:embed migrate.sql
	fromVersion1 string
)

// The file says what it is: SQLite's application id ("marl") and user version.
const (
	applicationID = 0x6d61726c
	schemaVersion = 2
)

// DB is an open vote file. Its methods may be called from several goroutines.
type DB struct {
	sql  *sql.DB
	path string
	file fs.FileInfo // as it was opened
}

// Create opens the file of a path, and makes it if there is none. One that may
// only be read is opened for that: what writes into it fails, with a *DiskError.
// It returns an error wrapping ErrFile where the file is something else.
func Create(ctx context.Context, path string) (*DB, error) {
	if err := sound(ctx, path); err != nil {
		return nil, err
	}
	db, err := open(ctx, path, toWrite)
	if mode := toRead(path); refused(err) && mode != "" {
		db, err = open(ctx, path, mode)
	}
	if err != nil {
		return nil, explain(path, err)
	}
	if db.file, err = os.Stat(path); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrFile, err), db.Close())
	}
	return db, nil
}

// Open opens an existing file. It returns an error wrapping ErrFile where
// there is none, or it is something else.
func Open(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s; `marlpit collect` makes one", ErrFile, path)
	}
	return Create(ctx, path)
}

// Close closes the file.
func (db *DB) Close() error { return db.sql.Close() }

// Path is the file's path.
func (db *DB) Path() string { return db.path }

func connect(path, mode string) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(absolute)}).EscapedPath() + mode
	conn, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	conn.SetMaxOpenConns(1) // one writer; others may read the file meanwhile
	return &DB{sql: conn, path: path}, nil
}

func open(ctx context.Context, path, mode string) (*DB, error) {
	db, err := connect(path, mode)
	if err != nil {
		return nil, err
	}
	if err := db.prepare(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// prepare checks what the file is, and writes the schema into an empty one.
func (db *DB) prepare(ctx context.Context) error {
	var id, version, tables int
	err := db.sql.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)`).Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrFile, db.path, err)
	case tables > 0 && id != applicationID:
		return fmt.Errorf("%w: %s is a database, but not of votes", ErrFile, db.path)
	case tables > 0 && (version < 1 || version > schemaVersion):
		return fmt.Errorf("%w: %s has version %d of the format, this program knows 1 to %d", ErrFile, db.path, version, schemaVersion)
	case version == schemaVersion:
		return nil
	}
	base := schema
	if tables > 0 {
		base = fromVersion1
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		// Another process may have been faster.
		if err := tx.QueryRowContext(ctx, `SELECT user_version FROM pragma_user_version`).Scan(&version); err != nil || version == schemaVersion {
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("%s; %s; %s; PRAGMA application_id = %d; PRAGMA user_version = %d",
			base, labellingTables, views, applicationID, schemaVersion))
		return err
	})
}

// there is an error, a *ReplacedError, where the path is no longer that of the
// open file.
func (db *DB) there() error {
	if db.file == nil {
		return nil // it is being made
	}
	now, err := os.Stat(db.path)
	if err != nil || !os.SameFile(now, db.file) {
		return &ReplacedError{Path: db.path}
	}
	return nil
}

// write runs f in a transaction and commits it.
func (db *DB) write(ctx context.Context, f func(*sql.Tx) error) error {
	if err := db.there(); err != nil {
		return err
	}
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return db.failure(err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // it says no more than err; SQLite may have rolled back already
		return db.failure(err)
	}
	return db.failure(tx.Commit())
}

// Meta reads a note of the file; "" where there is none.
func (db *DB) Meta(ctx context.Context, key string) (string, error) {
	var value string
	err := db.sql.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta writes a note into the file.
func (db *DB) SetMeta(ctx context.Context, key, value string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
		return err
	})
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }
