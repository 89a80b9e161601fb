package ledger

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"marlpit/shaping"
)

// Prompt is a template that questions are put with.
type Prompt struct{ Hash, Name, Text string }

// AddPrompts notes the templates in use, in the table prompts.
func (f *File) AddPrompts(ctx context.Context, prompts ...Prompt) error {
	return f.Write(ctx, func(tx *sql.Tx) error {
		for _, p := range prompts {
			if _, err := tx.ExecContext(ctx, `INSERT INTO prompts VALUES (?,?,?) ON CONFLICT DO NOTHING`, p.Hash, p.Name, p.Text); err != nil {
				return err
			}
		}
		return nil
	})
}

// FindRequest returns the model's reply that was kept under a key, in the table requests.
func (f *File) FindRequest(ctx context.Context, key string) (shaping.Request, bool, error) {
	out := shaping.Request{Key: key}
	err := f.QueryRowContext(ctx, `SELECT prompt, body, reply, status, prompt_tokens, completion_tokens, cost, currency
		FROM requests WHERE key = ? AND answered = 1`, key).
		Scan(&out.Prompt, &out.Body, &out.Reply, &out.Status, &out.PromptTokens, &out.CompletionTokens, &out.Cost, &out.Currency)
	if errors.Is(err, sql.ErrNoRows) {
		return out, false, nil
	}
	return out, err == nil, err
}

// Names reads a query's only column.
func (f *File) Names(ctx context.Context, query string) ([]string, error) {
	rows, err := f.QueryContext(ctx, query)
	if err != nil {
		return nil, f.Unreadable(err)
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, f.Unreadable(err)
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

// Meant are the names that a text may mean: the one that is equal to it, else
// all that hold it.
func Meant(names []string, text string) []string {
	var found []string
	for _, n := range names {
		if n == text {
			return []string{n}
		}
		if strings.Contains(n, text) {
			found = append(found, n)
		}
	}
	return found
}

// Bytes are never NULL: where there are none they are empty.
func Bytes(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
