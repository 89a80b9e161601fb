package process

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
)

//go:embed schema.sql
var schema string

// ErrFile is returned for a file that is missing, holds something else, or is of
// a newer version.
var ErrFile = errors.New("process: unusable file of scores")

// format is that of files of scores; the id reads "marp".
var format = ledger.Format{Of: "scores", Maker: "marlpit score", Err: ErrFile, ID: 0x6d617270, Schema: schema}

// DB is an open file of scores. Its methods may be called from several goroutines.
type DB struct{ file *ledger.File }

// Create opens the file of a path, and makes it if there is none; one that may
// only be read is opened for that. It returns an error wrapping ErrFile where
// the file is something else.
func Create(ctx context.Context, path string) (*DB, error) {
	file, err := ledger.Create(ctx, path, &format)
	if err != nil {
		return nil, err
	}
	return &DB{file}, nil
}

// Open opens an existing file. It returns an error wrapping ErrFile where there
// is none, or it is something else.
func Open(ctx context.Context, path string) (*DB, error) {
	file, err := ledger.Open(ctx, path, &format)
	if err != nil {
		return nil, err
	}
	return &DB{file}, nil
}

// Close closes the file.
func (db *DB) Close() error { return db.file.Close() }

// Path is the file's path.
func (db *DB) Path() string { return db.file.Path }

// AddPrompts notes templates that questions are put with.
func (db *DB) AddPrompts(ctx context.Context, prompts ...ledger.Prompt) error {
	return db.file.AddPrompts(ctx, prompts...)
}

// Recorder keeps the exchanges of a critic in the file: its methods are those
// of llm.Store.
type Recorder struct{ db *DB }

// Recorder returns the file's recorder.
func (db *DB) Recorder() Recorder { return Recorder{db} }

// Find returns the model's reply that was kept under a key.
func (r Recorder) Find(ctx context.Context, key string) (shaping.Request, bool, error) {
	return r.db.file.FindRequest(ctx, key)
}

// Keep commits one exchange.
func (r Recorder) Keep(ctx context.Context, _ shaping.Question, x shaping.Request, answered bool) error {
	return r.db.file.Write(ctx, func(tx *sql.Tx) error { return putRequest(ctx, tx, x, answered) })
}

// putRequest keeps an exchange. A second reply under one key, that another
// process has paid for at the same time, is for the record.
func putRequest(ctx context.Context, tx *sql.Tx, x shaping.Request, answered bool) error {
	res, err := tx.ExecContext(ctx, `INSERT INTO requests
		(key, prompt, body, reply, status, answered, prompt_tokens, completion_tokens, cost, currency, at)
		VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
		x.Key, x.Prompt, ledger.Bytes(x.Body), ledger.Bytes(x.Reply), x.Status, answered, x.PromptTokens, x.CompletionTokens, x.Cost, x.Currency, ledger.Now())
	if err != nil || !answered {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return putRequest(ctx, tx, x, false)
}
