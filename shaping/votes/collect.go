package votes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"marlpit/shaping/ledger"
)

// Add writes a collection's transitions in one commit. Pairs of states that
// are in the file already are left out; added counts the others. It returns an
// error wrapping ErrWorld where the file is of another world.
func (db *DB) Add(ctx context.Context, w World, c Collection, ts []Transition) (added int, err error) {
	err = db.file.Write(ctx, func(tx *sql.Tx) error {
		if err := db.putWorld(ctx, tx, w); err != nil {
			return err
		}
		params, err := json.Marshal(c.Params)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO collections
			(seed, policy, params, copies, steps, frames, changed, distinct_pairs, kept, solver) VALUES (?,?,?,?,?,?,?,?,?,?)`,
			strconv.FormatUint(c.Seed, 10), c.Policy, string(params), c.Copies, c.Steps, c.Frames, c.Changed, c.Distinct, c.Kept, c.Solver)
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		in := adder{ctx: ctx, tx: tx, collection: id, texts: map[string]int64{}}
		for i := range ts {
			if err := in.add(&ts[i]); err != nil {
				return err
			}
		}
		added = in.added
		return nil
	})
	if err != nil { // also where only the commit failed
		return 0, err
	}
	return added, nil
}

func (db *DB) putWorld(ctx context.Context, tx *sql.Tx, w World) error {
	have, err := readWorld(ctx, tx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if w.FocusSizes == nil {
			w.FocusSizes = []int{}
		}
		params, err := json.Marshal(w.Params)
		if err != nil {
			return err
		}
		agents, _ := json.Marshal(w.Agents) // strings and ints always marshal
		focus, _ := json.Marshal(w.FocusSizes)
		_, err = tx.ExecContext(ctx, `INSERT INTO worlds VALUES (1,?,?,?,?,?,?)`,
			w.Env, string(params), w.ObsVersion, string(agents), w.StateSize, string(focus))
		return err
	case err != nil:
		return db.file.Unreadable(err)
	}
	if what := have.differs(w); what != "" {
		return fmt.Errorf("%w: %s", ErrWorld, what)
	}
	return nil
}

// differs says how a file's world differs from another; "" where they are one.
func (w *World) differs(got World) string {
	if w.Env != got.Env {
		return fmt.Sprintf("world: %s in the file, %s here", w.Env, got.Env)
	}
	var all []string
	add := func(what string, file, here any) {
		x, _ := json.Marshal(file) // as the file keeps them, whatever their Go types
		y, _ := json.Marshal(here)
		if !bytes.Equal(x, y) {
			all = append(all, fmt.Sprintf("%s: %.60s in the file, %.60s here", what, x, y))
		}
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(w.Params)), maps.Keys(got.Params))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		add("parameter "+name, w.Params[name], got.Params[name])
	}
	add("agents", w.Agents, got.Agents)
	add("observation version", w.ObsVersion, got.ObsVersion)
	add("state elements", w.StateSize, got.StateSize)
	if len(w.FocusSizes)+len(got.FocusSizes) > 0 {
		add("focus features", w.FocusSizes, got.FocusSizes)
	}
	return strings.Join(all, "; ")
}

// adder writes transitions within one transaction.
type adder struct {
	ctx        context.Context
	tx         *sql.Tx
	collection int64
	texts      map[string]int64
	added      int
}

func (in *adder) add(t *Transition) error {
	pair := PairKey(t.StateA, t.StateB)
	actions, _ := json.Marshal(t.Actions)
	res, err := in.tx.ExecContext(in.ctx, `INSERT INTO transitions
		(collection, pair, seed, copy, step, actions, snapshot_a, snapshot_b, state_a, state_b, terminal, held)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (pair) DO NOTHING`,
		in.collection, int64(pair), strconv.FormatUint(t.Seed, 10), t.Copy, t.Step, string(actions),
		ledger.Bytes(t.SnapshotA), ledger.Bytes(t.SnapshotB), ledger.Bytes(floats(t.StateA)), ledger.Bytes(floats(t.StateB)), t.Terminal, heldOut(pair))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	in.added++
	for _, a := range t.Agents {
		var words [4]any
		for i, text := range []string{a.Guided[0], a.Guided[1], a.Plain[0], a.Plain[1]} {
			if words[i], err = in.text(text); err != nil {
				return err
			}
		}
		_, err := in.tx.ExecContext(in.ctx, `INSERT INTO transition_agents VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
			id, a.Index, int64(questionKey(pair, a.Index)), words[0], words[1], words[2], words[3],
			floats(a.FocusA), floats(a.FocusB), nullable(a.Truth), a.Family)
		if err != nil {
			return err
		}
	}
	return nil
}

// text returns the id of a text, nil for "".
func (in *adder) text(s string) (any, error) {
	if s == "" {
		return nil, nil
	}
	if id, ok := in.texts[s]; ok {
		return id, nil
	}
	var id int64
	hash := sha256.Sum256([]byte(s))
	err := in.tx.QueryRowContext(in.ctx, `INSERT INTO texts (hash, text) VALUES (?, ?)
		ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING id`, hash[:16], s).Scan(&id)
	in.texts[s] = id
	return id, err
}

// nullable is NULL for a number that is none.
func nullable(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

// ContentHash is a SHA-256 over everything that was collected: equal for files
// with the same transitions, words, features and credit, whenever made.
func (db *DB) ContentHash(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, q := range []string{
		`SELECT env, params, obs_version, agents, state_size, focus_sizes FROM worlds`,
		`SELECT pair, seed, copy, step, actions, hex(snapshot_a), hex(snapshot_b), hex(state_a), hex(state_b), terminal, held FROM transitions ORDER BY pair`,
		`SELECT question, agent, a.text, b.text, c.text, d.text, hex(focus_a), hex(focus_b), truth, family FROM transition_agents
			LEFT JOIN texts a ON a.id = guided_forward LEFT JOIN texts b ON b.id = guided_backward
			LEFT JOIN texts c ON c.id = plain_forward LEFT JOIN texts d ON d.id = plain_backward ORDER BY question`,
	} {
		rows, err := db.file.QueryContext(ctx, q)
		if err != nil {
			return "", err
		}
		columns, _ := rows.Columns()
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return "", errors.Join(err, rows.Close())
			}
			for _, v := range values {
				_, _ = fmt.Fprintf(h, "%t:%d:%s;", v.Valid, len(v.String), v.String)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
