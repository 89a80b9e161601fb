package votes

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"marlpit/shaping/ledger"
)

// World returns what the file is about; an error wrapping ErrFile where
// nothing was collected yet.
func (db *DB) World(ctx context.Context) (World, error) {
	w, err := readWorld(ctx, db.file)
	if errors.Is(err, sql.ErrNoRows) {
		return w, fmt.Errorf("%w: %s has no transitions yet; `marlpit collect` adds them", ErrFile, db.Path())
	}
	if err != nil {
		return w, db.file.Unreadable(err)
	}
	return w, nil
}

// Collections lists the runs of collecting, in order.
func (db *DB) Collections(ctx context.Context) ([]Collection, error) {
	rows, err := db.file.QueryContext(ctx, `SELECT seed, policy, params, copies, steps, frames, changed, distinct_pairs, kept, solver FROM collections ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []Collection
	for rows.Next() {
		var c Collection
		var seed, params string
		if err := rows.Scan(&seed, &c.Policy, &params, &c.Copies, &c.Steps, &c.Frames, &c.Changed, &c.Distinct, &c.Kept, &c.Solver); err != nil {
			return nil, db.file.Unreadable(err)
		}
		if c.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return nil, db.file.Unreadable(fmt.Errorf("table collections: seed: want a number from 0 up, got %.40q", seed))
		}
		if err := inJSONColumn("collections", "params", "an object", params, &c.Params); err != nil {
			return nil, db.file.Unreadable(err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// Count is the number of transitions.
func (db *DB) Count(ctx context.Context) (n int, err error) {
	err = db.file.QueryRowContext(ctx, `SELECT count(*) FROM transitions`).Scan(&n)
	return n, err
}

// Questions is the number of questions there are, whoever may be asked: about
// the team, or about each agent.
func (db *DB) Questions(ctx context.Context, team bool) (n int, err error) {
	err = db.file.QueryRowContext(ctx, `SELECT count(*) FROM transition_agents WHERE (agent = -1) = ?`, team).Scan(&n)
	return n, err
}

// Annotators lists who has voted, in order of first appearance.
func (db *DB) Annotators(ctx context.Context) ([]string, error) {
	return db.file.Names(ctx, `SELECT name FROM annotators ORDER BY id`)
}

// Annotator finds the one that is meant: by its full name, else the only one
// whose name contains the text; "" means the only one there is. It returns an
// error wrapping ErrAnnotator that lists who there is.
func (db *DB) Annotator(ctx context.Context, text string) (string, error) {
	names, err := db.Annotators(ctx)
	if err != nil {
		return "", err
	}
	found := ledger.Meant(names, text)
	switch {
	case len(names) == 0:
		return "", fmt.Errorf("%w: nobody has voted yet; `marlpit label` asks", ErrAnnotator)
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return "", fmt.Errorf("%w: none matches %q; there are: %s", ErrAnnotator, text, strings.Join(names, "; "))
	}
	who := "several have voted"
	if text != "" {
		who = fmt.Sprintf("%q matches several", text)
	}
	return "", fmt.Errorf("%w: %s: %s; say which by --annotator (a part of the name)", ErrAnnotator, who, strings.Join(found, "; "))
}

// Counted is what one annotator's votes on one agent's side of a transition
// come to, with the features a model is fitted to.
type Counted struct {
	Transition     int64
	Agent          int
	StateA, StateB []float32
	FocusA, FocusB []float32
	First, Second  int
	Tie, Invalid   int
	Flipped        int
	Confidence     float64 // (second + ½ tie) / valid; NaN without a valid vote
	Mean           float64 // mean of the votes' own confidences; NaN likewise
	Truth          float64 // NaN: unknown
	Held           bool
	Terminal       bool   // the episode ended at b
	Family         string // of situations; "" unknown
	Text           int64  // the words read forwards in the annotator's viewpoint, of a team those of all: equal for equal words; 0 where none
}

// Valid is the number of votes that could be read.
func (c Counted) Valid() int { return c.First + c.Second + c.Tie }

// Counts returns what an annotator's votes come to, by transition and agent:
// of the team questions, or of the agents'. At most limit queries of each are
// counted; 0 counts all.
func (db *DB) Counts(ctx context.Context, annotator string, team bool, limit int) ([]Counted, error) {
	if limit <= 0 {
		limit = 1 << 30
	}
	return db.counted(ctx, `
		SELECT `+countedColumns(viewOf(annotator))+`,
		       sum(v.vote = 'first'), sum(v.vote = 'second'), sum(v.vote = 'tie'), sum(v.vote = 'invalid'), sum(v.flipped),
		       avg(CASE WHEN v.vote <> 'invalid' THEN v.confidence END)
		FROM votes v JOIN annotators n ON n.id = v.annotator
		JOIN transition_agents a USING (transition, agent) JOIN transitions t ON t.id = v.transition
		WHERE n.name = ? AND (v.agent = -1) = ? AND v.query < ?
		GROUP BY v.transition, v.agent ORDER BY v.transition, v.agent`, annotator, team, limit)
}

// Examples returns every transition and agent as Counts does, without votes;
// Text is of the guided words.
func (db *DB) Examples(ctx context.Context, team bool) ([]Counted, error) {
	return db.counted(ctx, `SELECT `+countedColumns("guided")+`, 0, 0, 0, 0, 0, NULL
		FROM transitions t JOIN transition_agents a ON a.transition = t.id
		WHERE (a.agent = -1) = ? ORDER BY t.id, a.agent`, team)
}

// countedColumns are those of a Counted that don't come from votes. The last
// lists the texts that were read: the agent's, or all of the transition.
func countedColumns(view string) string {
	return `t.id, a.agent, t.state_a, t.state_b, a.focus_a, a.focus_b, t.held, t.terminal, a.truth, a.family, CASE a.agent WHEN -1
		THEN (SELECT group_concat(coalesce(m.` + view + `_forward, 0) ORDER BY m.agent) FROM transition_agents m WHERE m.transition = t.id)
		ELSE coalesce(a.` + view + `_forward, 0) END`
}

// textOf makes one number of a list of texts.
func textOf(list string) (int64, error) {
	if !strings.Contains(list, ",") {
		return strconv.ParseInt(list, 10, 64)
	}
	if strings.Trim(list, "0,") == "" {
		return 0, nil
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(list))        // never fails
	return int64(h.Sum64()>>1) | 1, nil // above 0
}

// viewOf is the viewpoint an annotator's name ends in (see Name).
func viewOf(annotator string) string {
	if strings.HasSuffix(annotator, " viewpoint=plain") {
		return "plain"
	}
	return "guided"
}

// counted reads the rows of a query, and checks them against the world.
func (db *DB) counted(ctx context.Context, query string, args ...any) ([]Counted, error) {
	w, err := readWorld(ctx, db.file)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, db.file.Unreadable(err)
	}
	rows, err := db.file.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []Counted
	for rows.Next() {
		c, err := scanCounted(rows)
		if err == nil {
			err = c.fits(w)
		}
		if err != nil {
			return nil, db.file.Unreadable(err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

func scanCounted(rows *sql.Rows) (Counted, error) {
	var c Counted
	var stateA, stateB, focusA, focusB []byte
	var truth, mean sql.NullFloat64
	var texts string
	err := rows.Scan(&c.Transition, &c.Agent, &stateA, &stateB, &focusA, &focusB, &c.Held, &c.Terminal, &truth, &c.Family, &texts,
		&c.First, &c.Second, &c.Tie, &c.Invalid, &c.Flipped, &mean)
	if err != nil {
		return c, err
	}
	var errs [5]error
	c.StateA, errs[0] = unfloats(stateA)
	c.StateB, errs[1] = unfloats(stateB)
	c.FocusA, errs[2] = unfloats(focusA)
	c.FocusB, errs[3] = unfloats(focusB)
	c.Text, errs[4] = textOf(texts)
	c.Truth, c.Mean = orNaN(truth), orNaN(mean)
	c.Confidence = (float64(c.Second) + 0.5*float64(c.Tie)) / float64(c.Valid()) // 0/0 is NaN
	return c, errors.Join(errs[:]...)
}
