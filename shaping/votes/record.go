package votes

import (
	"context"
	"database/sql"
	"math"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
)

func orNaN(x sql.NullFloat64) float64 {
	if !x.Valid {
		return math.NaN()
	}
	return x.Float64
}

// Prompt is a template that questions are put with.
type Prompt = ledger.Prompt

// AddPrompts notes the templates in use.
func (db *DB) AddPrompts(ctx context.Context, prompts ...Prompt) error {
	return db.file.AddPrompts(ctx, prompts...)
}

// Prompts lists the templates that were noted, by name.
func (db *DB) Prompts(ctx context.Context) ([]Prompt, error) {
	rows, err := db.file.QueryContext(ctx, `SELECT hash, name, text FROM prompts ORDER BY name, hash`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []Prompt
	for rows.Next() {
		var p Prompt
		if err := rows.Scan(&p.Hash, &p.Name, &p.Text); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
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

// Has says whether a model's reply was kept under a key.
func (r Recorder) Has(ctx context.Context, key string) (ok bool, err error) {
	err = r.db.file.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM requests WHERE key = ? AND answered = 1)`, key).Scan(&ok)
	return ok, err
}

// Keep commits one exchange.
func (r Recorder) Keep(ctx context.Context, q shaping.Question, x shaping.Request, answered bool) error {
	return r.db.file.Write(ctx, func(tx *sql.Tx) error { return putRequest(ctx, tx, q, x, answered) })
}

type annotatorKey struct{}

// payer says who pays for the exchanges under a context: an annotator's id.
func payer(ctx context.Context) any { return ctx.Value(annotatorKey{}) }

// putRequest keeps an exchange. A second reply under one key, that another
// process has paid for at the same time, is for the record, as is its cost.
func putRequest(ctx context.Context, tx *sql.Tx, q shaping.Question, x shaping.Request, answered bool) error {
	res, err := tx.ExecContext(ctx, `INSERT INTO requests
		(key, question, query, prompt, body, reply, status, answered, prompt_tokens, completion_tokens, at, annotator, cost, currency)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
		x.Key, int64(q.Key), q.Query, x.Prompt, ledger.Bytes(x.Body), ledger.Bytes(x.Reply), x.Status, answered, x.PromptTokens, x.CompletionTokens, ledger.Now(),
		payer(ctx), x.Cost, x.Currency)
	if err != nil || !answered {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return putRequest(ctx, tx, q, x, false)
}
