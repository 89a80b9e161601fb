package votes

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
)

// Imported counts the lines of a batch's result.
type Imported struct {
	Lines            int      `json:"lines"`
	Kept             int      `json:"kept"`       // replies that are stored now
	Before           int      `json:"before"`     // lines that were there already
	Twice            int      `json:"twice"`      // further replies to a request that has one: kept for the record, with their cost
	Failed           int      `json:"failed"`     // errors in place of a reply; the next batch has these requests again
	Unknown          int      `json:"unknown"`    // of requests that this file has never written
	Unreadable       int      `json:"unreadable"` // no result of a batch, or too long
	PromptTokens     int      `json:"prompt_tokens"`
	CompletionTokens int      `json:"completion_tokens"`
	Cost             float64  `json:"cost"`
	Told             []string `json:"told,omitempty"` // the first of each kind that isn't kept, with its line
}

// tell names a line, unless enough of its kind are.
func (m *Imported) tell(n int, format string, args ...any) {
	if n <= batchedMostTold {
		m.Told = append(m.Told, fmt.Sprintf("line %d: %s", m.Lines, fmt.Sprintf(format, args...)))
	}
}

// Receiver reads replies: llm.Critic's method. Where a reply isn't a model's, why tells what is wrong.
type Receiver func(shaping.Request) (out shaping.Request, answered bool, why string)

// resultLine is a line of a batch's result.
type resultLine struct {
	CustomID string `json:"custom_id"`
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

const (
	mostResultLine = 8 << 20 // bytes; a reply is at most half of it
	resultGroup    = 500     // lines in one commit
)

// ReadBatch stores the results of a batch, a group of lines in each commit, so
// that one that is broken off goes on when it is read again. It returns what was
// committed, also beside an error.
func (db *DB) ReadBatch(ctx context.Context, r io.Reader, receive Receiver) (Imported, error) {
	var done Imported
	if ok, err := db.hasBatches(ctx); err != nil || !ok {
		return done, errors.Join(err, fmt.Errorf("%w: %s has written no batch", ErrFile, db.Path()))
	}
	lines := bufio.NewReaderSize(r, 1<<16)
	for end := false; !end; {
		next := done
		next.Told = append([]string(nil), done.Told...)
		err := db.file.Write(ctx, func(tx *sql.Tx) error {
			for range resultGroup {
				line, err := readLine(lines)
				if end = errors.Is(err, io.EOF); err != nil && !end {
					return err
				}
				if len(line) > 0 {
					next.Lines++
					if err := next.take(ctx, tx, line, receive); err != nil {
						return err
					}
				}
				if end {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			return done, err
		}
		done = next
	}
	return done, nil
}

// readLine reads a line without its end; what is longer than a result can be is
// cut, and so no JSON any more.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, more, err := r.ReadLine()
		if len(line) < mostResultLine {
			line = append(line, part...)
		}
		if err != nil || !more {
			return line, err
		}
	}
}

// take stores one line.
func (m *Imported) take(ctx context.Context, tx *sql.Tx, line []byte, receive Receiver) error {
	var l resultLine
	isJSON := json.Unmarshal(line, &l) == nil
	if !isJSON || l.CustomID == "" || l.Response == nil && l.Error == nil {
		m.Unreadable++
		m.tell(m.Unreadable, "no result of a batch: %.60q", line)
		return nil
	}
	q, x := shaping.Question{}, shaping.Request{Key: l.CustomID}
	var question, annotator int64
	err := tx.QueryRowContext(ctx, `SELECT annotator, question, query, prompt, body FROM batched WHERE key = ?`, l.CustomID).
		Scan(&annotator, &question, &q.Query, &x.Prompt, &x.Body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		m.Unknown++
		m.tell(m.Unknown, "no request %.80q was written into a batch of this file", l.CustomID)
		return nil
	case err != nil:
		return err
	}
	q.Key = uint64(question)
	answered, why := false, ""
	switch {
	case l.Response != nil && len(l.Response.Body) > 0:
		x.Status, x.Reply = l.Response.StatusCode, l.Response.Body
		x, answered, why = receive(x)
	case l.Error != nil:
		x.Reply, why = line, fmt.Sprintf("%.100s: %.200s", l.Error.Code, l.Error.Message) // the whole line, as its id tells it from the next
	default:
		x.Reply, why = line, "a response without a body"
	}
	var there, has bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM requests WHERE key = ? AND reply = ? AND status = ?),
		EXISTS (SELECT 1 FROM requests WHERE key = ? AND answered = 1)`, x.Key, x.Reply, x.Status, x.Key).Scan(&there, &has)
	if err != nil {
		return err
	}
	if there {
		m.Before++
		return nil
	}
	ctx = context.WithValue(ctx, annotatorKey{}, annotator)
	if err := putRequest(ctx, tx, q, x, answered); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE batched SET back = ? WHERE key = ?`, ledger.Now(), x.Key); err != nil {
		return err
	}
	m.PromptTokens += x.PromptTokens
	m.CompletionTokens += x.CompletionTokens
	m.Cost += x.Cost
	switch {
	case !answered:
		m.Failed++
		m.tell(m.Failed, "request %.12s… got no reply: %s", x.Key, why)
	case has:
		m.Twice++
		m.tell(m.Twice, "request %.12s… has a reply already; this one is kept for the record", x.Key)
	default:
		m.Kept++
	}
	return nil
}
