package votes

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
)

//go:embed batch.sql
var batchTable string

// Batched is a request for a batch.
type Batched struct {
	Key      string // custom_id
	Question shaping.Question
	Prompt   string // hash of the prompt's text
	Body     []byte // as it would be sent
}

// batchLine is a line of a batch, as OpenAI's batch API and those like it read it.
type batchLine struct {
	CustomID string          `json:"custom_id"`
	Method   string          `json:"method"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
}

// What providers take in one file.
const (
	MostBatched     = 50_000
	mostBatchBytes  = 190 << 20 // of 200 MB, with room for what a megabyte is
	batchedURL      = "/v1/chat/completions"
	batchedMostTold = 5
)

// Underway counts the requests of an annotator that were written into batches
// and of which nothing has come back.
func (db *DB) Underway(ctx context.Context, annotator string) (n int, err error) {
	if ok, err := db.hasBatches(ctx); !ok {
		return 0, err
	}
	err = db.file.QueryRowContext(ctx, `SELECT count(*) FROM batched b JOIN annotators n ON n.id = b.annotator
		WHERE n.name = ? AND back = '' AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.key = b.key AND r.answered = 1)`, annotator).Scan(&n)
	return n, err
}

func (db *DB) hasBatches(ctx context.Context) (ok bool, err error) {
	err = db.file.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'batched')`).Scan(&ok)
	return ok, err
}

// Waits says whether a request was written into a batch of which nothing has
// come back, whoever wrote it: its reply will serve everybody.
func (db *DB) Waits(ctx context.Context, key string) (waits bool, err error) {
	if ok, err := db.hasBatches(ctx); !ok {
		return false, err
	}
	err = db.file.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM batched WHERE key = ? AND back = '')`, key).Scan(&waits)
	return waits, err
}

// Refused lists the exchanges of an annotator that an endpoint refused for what
// they ask for (status 400 or 422).
func (db *DB) Refused(ctx context.Context, annotator string) ([]shaping.Request, error) {
	rows, err := db.file.QueryContext(ctx, `SELECT r.body, r.reply, r.status FROM requests r JOIN annotators n ON n.id = r.annotator
		WHERE n.name = ? AND r.answered = 0 AND r.status IN (?, ?)`, annotator, http.StatusBadRequest, http.StatusUnprocessableEntity)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []shaping.Request
	for rows.Next() {
		var r shaping.Request
		if err := rows.Scan(&r.Body, &r.Reply, &r.Status); err != nil {
			return nil, db.file.Unreadable(err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// WriteBatch writes requests into a new file, a line each, and notes that they
// are under way: both or neither. What doesn't fit a file of a provider's is
// left out; written says how many lines there are.
func (db *DB) WriteBatch(ctx context.Context, annotator, path string, requests []Batched) (written int, err error) {
	l := &labelling{db: db, report: Report{Annotator: annotator}}
	if err := l.begin(ctx); err != nil {
		return 0, err
	}
	defer l.finish()
	f, err := os.CreateTemp(filepath.Dir(path), ".marlpit-*")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.Remove(f.Name()) }() // where it wasn't renamed
	size := 0
	for _, r := range requests[:min(len(requests), MostBatched)] {
		line, err := json.Marshal(batchLine{CustomID: r.Key, Method: http.MethodPost, URL: batchedURL, Body: r.Body})
		if err != nil {
			return 0, errors.Join(err, f.Close())
		}
		if size += len(line) + 1; size > mostBatchBytes {
			break
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			return 0, errors.Join(err, f.Close())
		}
		written++
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return 0, err
	}
	return written, db.file.Write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, batchTable); err != nil {
			return err
		}
		for _, r := range requests[:written] {
			_, err := tx.ExecContext(ctx, `INSERT INTO batched (key, annotator, question, query, prompt, body, at) VALUES (?,?,?,?,?,?,?)
				ON CONFLICT (key) DO UPDATE SET annotator = excluded.annotator, body = excluded.body, at = excluded.at, back = ''`,
				r.Key, l.id, int64(r.Question.Key), r.Question.Query, r.Prompt, r.Body, ledger.Now())
			if err != nil {
				return err
			}
		}
		if _, err := os.Stat(path); err == nil {
			return fmt.Errorf("%s is there already: a batch goes into a new file", path)
		}
		return os.Rename(f.Name(), path)
	})
}
