package process

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marlpit/shaping/ledger"
)

// ErrCritic is returned where no critic of a file is meant, or more than one.
var ErrCritic = errors.New("which critic")

// Add keeps rounds. What is known of one that is there already is added to it.
func (db *DB) Add(ctx context.Context, records ...*Record) error {
	return db.file.Write(ctx, func(tx *sql.Tx) error { return addRounds(ctx, tx, records) })
}

func addRounds(ctx context.Context, tx *sql.Tx, records []*Record) error {
	for _, r := range records {
		agents := make([]string, len(r.Proposals))
		for i, p := range r.Proposals {
			agents[i] = p.Agent
		}
		names, err := json.Marshal(agents)
		if err != nil {
			return err
		}
		var right any
		if r.Right != nil {
			b, err := json.Marshal(r.Right)
			if err != nil {
				return err
			}
			right = string(b)
		}
		wrong := "[]"
		if len(r.Adversarial) > 0 {
			b, err := json.Marshal(r.Adversarial)
			if err != nil {
				return err
			}
			wrong = string(b)
		}
		k := r.Key()
		_, err = tx.ExecContext(ctx, `INSERT INTO rounds VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (key) DO UPDATE SET
			right = coalesce(excluded.right, right), adversarial = CASE excluded.adversarial WHEN '[]' THEN adversarial ELSE excluded.adversarial END`,
			k[:], string(r.Text), r.World, r.Template, r.App, string(names), right, wrong, ledger.Now())
		if err != nil {
			return err
		}
	}
	return nil
}

// Save keeps a critic's answer to a round, and the round. An answer that is
// there already stays.
func (db *DB) Save(ctx context.Context, critic string, r *Record, a Answer) error {
	return db.file.Write(ctx, func(tx *sql.Tx) error {
		if err := addRounds(ctx, tx, []*Record{r}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO critics (name) VALUES (?) ON CONFLICT DO NOTHING`, critic); err != nil {
			return err
		}
		k := r.Key()
		res, err := tx.ExecContext(ctx, `INSERT INTO answers SELECT ?, id, ?, ? FROM critics WHERE name = ? ON CONFLICT DO NOTHING`, k[:], a.Invalid, ledger.Now(), critic)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 || !a.Valid() {
			return err
		}
		for i, s := range a.Scores {
			_, err := tx.ExecContext(ctx, `INSERT INTO scores SELECT ?, id, ?, ?, ? FROM critics WHERE name = ?`, k[:], r.Proposals[i].Agent, s, a.Reasons[i], critic)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Find returns what a critic said of a round.
func (db *DB) Find(ctx context.Context, critic string, r *Record) (a Answer, ok bool, err error) {
	k := r.Key()
	var id int64
	err = db.file.QueryRowContext(ctx, `SELECT critic, invalid FROM answers JOIN critics ON id = critic WHERE round = ? AND name = ?`, k[:], critic).Scan(&id, &a.Invalid)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return a, false, nil
	case err != nil:
		return a, false, db.file.Unreadable(err)
	case !a.Valid():
		return a, true, nil
	}
	rows, err := db.file.QueryContext(ctx, `SELECT agent, score, reason FROM scores WHERE round = ? AND critic = ?`, k[:], id)
	if err != nil {
		return a, false, db.file.Unreadable(err)
	}
	defer func() { _ = rows.Close() }()
	a.Scores, a.Reasons = make([]float64, len(r.Proposals)), make([]string, len(r.Proposals))
	found := 0
	for rows.Next() {
		var agent, reason string
		var score float64
		if err := rows.Scan(&agent, &score, &reason); err != nil {
			return a, false, err
		}
		for i, p := range r.Proposals {
			if p.Agent == agent {
				a.Scores[i], a.Reasons[i] = score, reason
				found++
			}
		}
	}
	return a, found == len(r.Proposals), rows.Err()
}

// Critics lists who has said something in the file, by name.
func (db *DB) Critics(ctx context.Context) ([]string, error) {
	return db.file.Names(ctx, `SELECT name FROM critics ORDER BY name`)
}

// TheCritic is the one whose name holds a text; "" means the only one. It
// returns an error wrapping ErrCritic that lists who there is.
func (db *DB) TheCritic(ctx context.Context, part string) (string, error) {
	all, err := db.Critics(ctx)
	if err != nil {
		return "", err
	}
	found := ledger.Meant(all, part)
	if len(found) == 1 {
		return found[0], nil
	}
	there := "nobody has scored anything in it"
	if len(all) > 0 {
		there = "there are: " + strings.Join(all, "; ")
	}
	if part == "" && len(all) > 1 {
		return "", fmt.Errorf("%w: %s holds the scores of %d: name one (--critic NAME, serve --scores FILE=NAME); %s", ErrCritic, db.Path(), len(all), there)
	}
	return "", fmt.Errorf("%w: %d of %s have %q in their name; %s", ErrCritic, len(found), db.Path(), part, there)
}

// Scored is a round with what a critic said of it.
type Scored struct {
	Record
	Answer Answer
}

// Each calls f with every round that a critic has answered for, in a fixed
// order, until it returns an error.
func (db *DB) Each(ctx context.Context, critic string, f func(*Scored) error) error {
	rows, err := db.file.QueryContext(ctx, `SELECT r.round, r.right, r.adversarial, a.invalid,
			(SELECT json_group_array(json_array(s.agent, s.score, s.reason)) FROM scores s WHERE s.round = a.round AND s.critic = a.critic)
		FROM answers a JOIN critics c ON c.id = a.critic JOIN rounds r ON r.key = a.round WHERE c.name = ? ORDER BY r.key`, critic)
	if err != nil {
		return db.file.Unreadable(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text, wrong, scores, invalid string
		var right sql.NullString
		if err := rows.Scan(&text, &right, &wrong, &invalid, &scores); err != nil {
			return err
		}
		s, err := readScored(text, right.String, wrong, invalid, scores)
		if err != nil {
			return db.file.Unreadable(err)
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return rows.Err()
}

func readScored(text, right, wrong, invalid, scores string) (*Scored, error) {
	r, err := ParseRecord([]byte(text))
	if err != nil {
		return nil, err
	}
	s := &Scored{Record: *r, Answer: Answer{Invalid: invalid}}
	if right != "" {
		if err := json.Unmarshal([]byte(right), &s.Right); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal([]byte(wrong), &s.Adversarial); err != nil {
		return nil, err
	}
	if invalid != "" {
		return s, nil
	}
	var list [][3]any
	if err := json.Unmarshal([]byte(scores), &list); err != nil {
		return nil, err
	}
	said := map[string][3]any{}
	for _, x := range list {
		agent, _ := x[0].(string)
		said[agent] = x
	}
	for _, p := range s.Proposals {
		score, ok := said[p.Agent][1].(float64)
		if !ok {
			return nil, fmt.Errorf("round %v has no score for %q", s.Key(), p.Agent)
		}
		reason, _ := said[p.Agent][2].(string)
		s.Answer.Scores, s.Answer.Reasons = append(s.Answer.Scores, score), append(s.Answer.Reasons, reason)
	}
	return s, nil
}
