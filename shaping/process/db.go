package process

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

	"marlpit/shaping"
)

//go:embed schema.sql
var schema string

// The file says what it is: SQLite's application id ("marp") and user version.
const (
	applicationID = 0x6d617270
	schemaVersion = 1
)

// ErrFile is returned for a file that is missing, holds something else, is of a
// newer version, or can't be written.
var ErrFile = errors.New("process: unusable file of scores")

// DB is an open file of scores. Its methods may be called from several goroutines.
type DB struct {
	sql  *sql.DB
	path string
}

// Create opens the file of a path, and makes it if there is none. It returns an
// error wrapping ErrFile where the file is something else.
func Create(ctx context.Context, path string) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(absolute)}).EscapedPath() +
		"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate"
	conn, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	conn.SetMaxOpenConns(1) // one writer; others may read the file meanwhile
	db := &DB{sql: conn, path: path}
	if err := db.prepare(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return db, nil
}

// Open opens an existing file. It returns an error wrapping ErrFile where there
// is none, or it is something else.
func Open(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s; `marlpit score` makes one", ErrFile, path)
	}
	return Create(ctx, path)
}

// Close closes the file.
func (db *DB) Close() error { return db.sql.Close() }

// Path is the file's path.
func (db *DB) Path() string { return db.path }

func (db *DB) prepare(ctx context.Context) error {
	var id, version, tables int
	look := func(q interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) error {
		return q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
			(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)`).Scan(&id, &version, &tables)
	}
	if err := look(db.sql); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrFile, db.path, err)
	}
	switch {
	case tables > 0 && id != applicationID:
		return fmt.Errorf("%w: %s is a database, but not of scores", ErrFile, db.path)
	case tables > 0 && version != schemaVersion:
		return fmt.Errorf("%w: %s has version %d of the format, this program knows %d", ErrFile, db.path, version, schemaVersion)
	case tables > 0:
		return nil
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := look(tx); err != nil || tables > 0 { // another process was faster
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", schema, applicationID, schemaVersion))
		return err
	})
}

// write runs f in a transaction and commits it.
func (db *DB) write(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrFile, db.path, err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // it says no more than err
		return fmt.Errorf("%w: %s: %w", ErrFile, db.path, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrFile, db.path, err)
	}
	return nil
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// AddPrompt notes a template that questions are put with.
func (db *DB) AddPrompt(ctx context.Context, hash, name, text string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO prompts VALUES (?,?,?) ON CONFLICT DO NOTHING`, hash, name, text)
		return err
	})
}

// Recorder keeps the exchanges of a critic in the file: its methods are those
// of llm.Store.
type Recorder struct{ db *DB }

// Recorder returns the file's recorder.
func (db *DB) Recorder() Recorder { return Recorder{db} }

// Find returns the model's reply that was kept under a key.
func (r Recorder) Find(ctx context.Context, key string) (shaping.Request, bool, error) {
	out := shaping.Request{Key: key}
	err := r.db.sql.QueryRowContext(ctx, `SELECT prompt, body, reply, status, prompt_tokens, completion_tokens, cost, currency
		FROM requests WHERE key = ? AND answered = 1`, key).
		Scan(&out.Prompt, &out.Body, &out.Reply, &out.Status, &out.PromptTokens, &out.CompletionTokens, &out.Cost, &out.Currency)
	if errors.Is(err, sql.ErrNoRows) {
		return out, false, nil
	}
	return out, err == nil, err
}

// Keep commits one exchange. A second reply under one key, that another process
// has paid for at the same time, is for the record.
func (r Recorder) Keep(ctx context.Context, _ shaping.Question, x shaping.Request, answered bool) error {
	return r.db.write(ctx, func(tx *sql.Tx) error {
		kept, err := putRequest(ctx, tx, x, answered)
		if err == nil && !kept && answered {
			_, err = putRequest(ctx, tx, x, false)
		}
		return err
	})
}

func putRequest(ctx context.Context, tx *sql.Tx, x shaping.Request, answered bool) (kept bool, err error) {
	body, reply := append([]byte{}, x.Body...), append([]byte{}, x.Reply...) // empty where there is none, not NULL
	res, err := tx.ExecContext(ctx, `INSERT INTO requests
		(key, prompt, body, reply, status, answered, prompt_tokens, completion_tokens, cost, currency, at)
		VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
		x.Key, x.Prompt, body, reply, x.Status, answered, x.PromptTokens, x.CompletionTokens, x.Cost, x.Currency, now())
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
