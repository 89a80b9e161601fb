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

	"marlpit/shaping/ledger"
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

// format is that of vote files; the id reads "marl".
var format = ledger.Format{
	Of: "votes", Maker: "marlpit collect", Err: ErrFile, ID: 0x6d61726c,
	Schema:   schema + labellingTables + views,
	Upgrades: []string{fromVersion1 + labellingTables + views},
}

// DB is an open vote file. Its methods may be called from several goroutines.
type DB struct{ file *ledger.File }

// Create opens the file of a path, and makes it if there is none. One that may
// only be read is opened for that: what writes into it fails, with a
// *ledger.DiskError. It returns an error wrapping ErrFile where the file is
// something else.
func Create(ctx context.Context, path string) (*DB, error) {
	file, err := ledger.Create(ctx, path, &format)
	if err != nil {
		return nil, err
	}
	return &DB{file}, nil
}

// Open opens an existing file. It returns an error wrapping ErrFile where
// there is none, or it is something else.
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

// Meta reads a note of the file; "" where there is none.
func (db *DB) Meta(ctx context.Context, key string) (string, error) {
	var value string
	err := db.file.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta writes a note into the file.
func (db *DB) SetMeta(ctx context.Context, key, value string) error {
	return db.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
		return err
	})
}
