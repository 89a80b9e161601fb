package shaping

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ErrNoVote is returned by a critic of recorded votes for a question that is
// not among them. The question stays open, and the critic is not at fault.
var ErrNoVote = errors.New("shaping: no vote was collected on this question")

// ErrHuman is returned for a file of votes that can't be read; the message
// names the line and the column.
var ErrHuman = errors.New("shaping: bad file of votes")

// Human is the critic of votes that were collected elsewhere.
type Human struct {
	hash  string // of the file
	votes map[humanKey]Vote
}

type humanKey struct {
	question uint64 // 0 where the vote is on words
	text     string // first 16 bytes of the SHA-256 of the words, in hex; "" where it is on a question
	query    int
}

// ReadHuman reads votes as CSV with a header line. Its columns, in any order:
//
//	question  the question's number, as a vote file has it (transition_agents.question), or
//	text      the first 32 hex digits of the SHA-256 of the words forwards (hex(texts.hash)): a vote on every question of these words
//	query     number of the query, from 0; 0 where the column is missing
//	vote      first (before was better), second (now is better), tie or invalid
//
// One of question and text is needed in each row; other columns are left
// alone. Two rows about one query, and anything else, are an error wrapping
// ErrHuman. Of the file nothing is kept but the votes.
func ReadHuman(r io.Reader) (*Human, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHuman, err)
	}
	sum := sha256.Sum256(raw)
	h := &Human{hash: hex.EncodeToString(sum[:6]), votes: map[humanKey]Vote{}}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff")))) // a spreadsheet's mark
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: it is empty; the first line names the columns", ErrHuman)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHuman, err)
	}
	table := humanTable{rows: rows}
	for i, name := range []string{"question", "text", "query", "vote"} {
		table.column[i] = slices.Index(header, name)
	}
	if table.column[3] < 0 || table.column[0] < 0 && table.column[1] < 0 {
		return nil, fmt.Errorf("%w: line 1: the columns are vote, question or text, and query, got %s", ErrHuman, strings.Join(header, ", "))
	}
	for {
		key, vote, err := table.next()
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		if _, twice := h.votes[key]; twice {
			line, _ := rows.FieldPos(0)
			return nil, fmt.Errorf("%w: line %d: a second vote on the same query", ErrHuman, line)
		}
		h.votes[key] = vote
	}
}

// humanTable reads rows.
type humanTable struct {
	rows   *csv.Reader
	column [4]int // of question, text, query, vote; -1: there is none
	row    []string
}

func (t *humanTable) next() (key humanKey, vote Vote, err error) {
	t.row, err = t.rows.Read()
	if errors.Is(err, io.EOF) {
		return key, "", err
	}
	if err != nil {
		return key, "", fmt.Errorf("%w: %w", ErrHuman, err)
	}
	question, text, query := t.cell(0), strings.ToLower(t.cell(1)), t.cell(2)
	switch {
	case (question == "") == (text == ""):
		return key, "", t.bad(max(t.column[0], t.column[1]), "either question or text is needed, and not both")
	case text != "":
		if b, err := hex.DecodeString(text); err != nil || len(b) < 16 {
			return key, "", t.bad(t.column[1], "text is at least 32 hex digits of the SHA-256 of the words, got %.40q", text)
		}
		key.text = strings.Clone(text[:32]) // the rest of the row may go
	default:
		n, err := strconv.ParseInt(question, 10, 64) // SQLite's integers have a sign
		if err != nil {
			return key, "", t.bad(t.column[0], "question is a whole number, got %.40q", question)
		}
		key.question = uint64(n)
	}
	if query != "" {
		n, err := strconv.Atoi(query)
		if err != nil || n < 0 {
			return key, "", t.bad(t.column[2], "query is a number from 0 up, got %.40q", query)
		}
		key.query = n
	}
	for _, v := range []Vote{First, Second, Tie, Invalid} {
		if t.cell(3) == string(v) {
			return key, v, nil
		}
	}
	return key, "", t.bad(t.column[3], "vote is first, second, tie or invalid, got %.40q", t.cell(3))
}

// cell is a trimmed cell; "" where there is no such column.
func (t *humanTable) cell(i int) string {
	if t.column[i] < 0 {
		return ""
	}
	return strings.TrimSpace(t.row[t.column[i]])
}

func (t *humanTable) bad(column int, format string, args ...any) error {
	line, at := t.rows.FieldPos(column)
	return fmt.Errorf("%w: line %d, column %d: %s", ErrHuman, line, at, fmt.Sprintf(format, args...))
}

// Name is "human" with the hash of the file.
func (h *Human) Name() string { return "human votes=" + h.hash }

// Len is the number of votes.
func (h *Human) Len() int { return len(h.votes) }

// Ask looks the vote up: by the question, else by its words. It returns
// ErrNoVote where there is none.
func (h *Human) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	vote, ok := h.votes[humanKey{question: q.Key, query: q.Query}]
	if !ok {
		sum := sha256.Sum256([]byte(q.Forward))
		vote, ok = h.votes[humanKey{text: hex.EncodeToString(sum[:16]), query: q.Query}]
	}
	switch {
	case !ok:
		return Answer{}, ErrNoVote
	case vote == Tie:
		return Answer{Vote: Tie, Confidence: 0.5}, nil
	case vote == Invalid:
		return Answer{Vote: Invalid, Reason: "recorded as invalid"}, nil
	}
	return sure(vote == Second), nil
}
