package votes

import (
	"context"
	"errors"
	"fmt"
)

// Shown is one agent's side of a transition, as people look at it.
type Shown struct {
	SnapshotA, SnapshotB []byte    // empty where the world has none
	StateA, StateB       []float32 // (state,)
	Actions              []int32   // (agents, dims); nil where unknown
	Step                 int       // of its episode
	Terminal             bool
	Guided, Plain        string // words of a → b; "" where there are none, as for the team
}

// Show returns what is kept of a transition and agent.
func (db *DB) Show(ctx context.Context, transition int64, agent int) (Shown, error) {
	var s Shown
	var actions string
	var stateA, stateB []byte
	err := db.file.QueryRowContext(ctx, `
		SELECT t.snapshot_a, t.snapshot_b, t.state_a, t.state_b, t.actions, t.step, t.terminal, coalesce(g.text, ''), coalesce(p.text, '')
		FROM transitions t JOIN transition_agents a ON a.transition = t.id
		LEFT JOIN texts g ON g.id = a.guided_forward LEFT JOIN texts p ON p.id = a.plain_forward
		WHERE t.id = ? AND a.agent = ?`, transition, agent).
		Scan(&s.SnapshotA, &s.SnapshotB, &stateA, &stateB, &actions, &s.Step, &s.Terminal, &s.Guided, &s.Plain)
	if err != nil {
		return s, fmt.Errorf("votes: transition %d, agent %d: %w", transition, agent, err)
	}
	var errs [2]error
	s.StateA, errs[0] = unfloats(stateA)
	s.StateB, errs[1] = unfloats(stateB)
	err = errors.Join(inJSONColumn("transitions", "actions", "a list of whole numbers", actions, &s.Actions), errs[0], errs[1])
	if err != nil {
		return s, db.file.Unreadable(fmt.Errorf("%s: %w", side(transition, agent), err))
	}
	return s, nil
}

// Reason is one cause of invalid votes.
type Reason struct {
	Text       string
	Votes      int
	Transition int64 // where it was met first
	Agent      int
	Reply      string // a reply that was read there, as received; "" where none is kept
}

// Reasons lists the causes of an annotator's invalid votes, the most frequent
// first: at most limit of the number there are.
func (db *DB) Reasons(ctx context.Context, annotator string, limit int) (reasons []Reason, distinct int, err error) {
	err = db.file.QueryRowContext(ctx, `SELECT count(DISTINCT reason) FROM votes JOIN annotators n ON n.id = annotator
		WHERE n.name = ? AND vote = 'invalid'`, annotator).Scan(&distinct)
	if err != nil {
		return nil, 0, err
	}
	// SQLite takes the bare columns from the row of the least value.
	rows, err := db.file.QueryContext(ctx, `
		SELECT v.reason, count(*) AS n, v.transition, v.agent, min(v.transition), coalesce((
			SELECT CAST(substr(r.reply, 1, 4000) AS TEXT) FROM vote_requests l JOIN requests r ON r.id = l.request
			WHERE (l.transition, l.agent, l.annotator, l.query) = (v.transition, v.agent, v.annotator, v.query) LIMIT 1), '')
		FROM votes v JOIN annotators a ON a.id = v.annotator
		WHERE a.name = ? AND v.vote = 'invalid' GROUP BY v.reason ORDER BY n DESC, v.reason LIMIT ?`, annotator, limit)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var r Reason
		var least int64
		if err := rows.Scan(&r.Text, &r.Votes, &r.Transition, &r.Agent, &least, &r.Reply); err != nil {
			return nil, 0, err
		}
		reasons = append(reasons, r)
	}
	return reasons, distinct, rows.Err()
}

// AskedAt is when an annotator's first and last votes were committed (UTC);
// "" without votes.
func (db *DB) AskedAt(ctx context.Context, annotator string) (first, last string, err error) {
	err = db.file.QueryRowContext(ctx, `SELECT coalesce(min(v.at), ''), coalesce(max(v.at), '')
		FROM votes v JOIN annotators n ON n.id = v.annotator WHERE n.name = ?`, annotator).Scan(&first, &last)
	return first, last, err
}

// Spending is what one annotator's labelling took; replies that were kept
// already took nothing.
type Spending struct {
	Annotator        string // "": asked outside of labelling
	Requests         int
	Answered         int // of them with a model's reply
	PromptTokens     int64
	CompletionTokens int64
	Cost             float64 // money, by the prices at that time
	Currency         string  // "" where no price was known
}

// Spendings lists what was spent, by annotator and currency.
func (db *DB) Spendings(ctx context.Context) ([]Spending, error) {
	rows, err := db.file.QueryContext(ctx, `SELECT annotator, requests, answered, prompt_tokens, completion_tokens, cost, currency FROM v_costs`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []Spending
	for rows.Next() {
		var s Spending
		if err := rows.Scan(&s.Annotator, &s.Requests, &s.Answered, &s.PromptTokens, &s.CompletionTokens, &s.Cost, &s.Currency); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}
