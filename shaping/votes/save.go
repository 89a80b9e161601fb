package votes

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
)

// task is one question that is still open.
type task struct {
	transition int64
	agent      int
	question   shaping.Question
}

// answered is a task with its answer, on its way to the disk.
type answered struct {
	task   task
	answer shaping.Answer
	saved  chan struct{} // closed once committed; nil where nobody waits
}

// check refuses what no critic may say: a bad answer from a model is data, but
// one from a critic's code is a bug of it.
func check(a *shaping.Answer) error {
	switch a.Vote {
	case shaping.Invalid:
		a.Confidence = math.NaN()
		return nil
	case shaping.First, shaping.Second, shaping.Tie:
	default:
		return fmt.Errorf("votes: the critic's vote %q is none of first, second, tie and invalid", a.Vote)
	}
	if !(a.Confidence >= 0 && a.Confidence <= 1) {
		*a = shaping.Answer{Vote: shaping.Invalid, Confidence: math.NaN(), Requests: a.Requests,
			Reason: fmt.Sprintf("confidence %v is not in [0,1]", a.Confidence)}
	}
	return nil
}

// Plan counts what Label would ask under an annotator's name (see Name),
// without asking or writing anything: Wanted, Before and Unasked are filled in.
func (db *DB) Plan(ctx context.Context, annotator string, opt LabelOptions) (Report, error) {
	opt, err := opt.complete()
	if err != nil {
		return Report{}, err
	}
	r := Report{Annotator: annotator}
	_, err = db.open(ctx, &r, opt)
	return r, err
}

// OpenQuestions lists what Label would ask under an annotator's name, in order.
func (db *DB) OpenQuestions(ctx context.Context, annotator string, opt LabelOptions) ([]shaping.Question, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	tasks, err := db.open(ctx, &Report{Annotator: annotator}, opt)
	out := make([]shaping.Question, len(tasks))
	for i, t := range tasks {
		out[i] = t.question
	}
	return out, err
}

// open finds the open questions of an annotator, and counts them.
func (db *DB) open(ctx context.Context, r *Report, opt LabelOptions) ([]task, error) {
	questions, err := db.questions(ctx, opt.View, opt.Team)
	if err != nil {
		return nil, err
	}
	if opt.Only != nil {
		questions = only(questions, opt.Only)
	}
	done, err := db.done(ctx, r.Annotator, opt)
	if err != nil {
		return nil, err
	}
	var tasks []task
	for query := range opt.Queries {
		for _, q := range questions {
			if _, ok := done[doneKey{q.transition, q.agent, query}]; ok {
				continue
			}
			q.question.Query = query
			tasks = append(tasks, q)
		}
	}
	r.Wanted, r.Unasked = len(questions)*opt.Queries, len(tasks)
	r.Before = r.Wanted - r.Unasked
	return tasks, nil
}

// only keeps the questions that are named, in that order.
func only(questions []task, sides []Side) []task {
	at := make(map[Side]task, len(questions))
	for _, q := range questions {
		at[Side{q.transition, q.agent}] = q
	}
	out := make([]task, 0, len(sides))
	for _, s := range sides {
		if q, ok := at[s]; ok {
			out = append(out, q)
		}
	}
	return out
}

type doneKey struct {
	transition int64
	agent      int
	query      int
}

func (db *DB) done(ctx context.Context, annotator string, opt LabelOptions) (map[doneKey]struct{}, error) {
	rows, err := db.file.QueryContext(ctx, `SELECT transition, agent, query FROM votes
		JOIN annotators n ON n.id = annotator WHERE n.name = ? AND (agent = -1) = ? AND query < ?`, annotator, opt.Team, opt.Queries)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	out := map[doneKey]struct{}{}
	for rows.Next() {
		var k doneKey
		if err := rows.Scan(&k.transition, &k.agent, &k.query); err != nil {
			return nil, err
		}
		out[k] = struct{}{}
	}
	return out, rows.Err()
}

// save commits answers as they come: those that have queued up meanwhile in
// one commit. It returns when the channel is closed. A commit that fails ends
// the run.
func (l *labelling) save(answers <-chan answered, cancel context.CancelCauseFunc) {
	for first := range answers {
		group := []answered{first}
		for more := true; more && len(group) < cap(answers); {
			select {
			case a, ok := <-answers:
				if more = ok; ok {
					group = append(group, a)
				}
			default:
				more = false
			}
		}
		// Not the caller's context: what was answered is kept even when it ends.
		err := l.db.file.Write(context.Background(), func(tx *sql.Tx) error { return l.put(tx, group) })
		if err != nil {
			cancel(err)
		} else {
			l.count(group)
		}
		for _, a := range group {
			if a.saved != nil {
				close(a.saved)
			}
		}
	}
}

func (l *labelling) put(tx *sql.Tx, group []answered) error {
	ctx := context.WithValue(context.Background(), annotatorKey{}, l.id)
	for _, a := range group {
		q := a.task.question
		_, err := tx.ExecContext(ctx, `INSERT INTO votes VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
			a.task.transition, a.task.agent, l.id, q.Query, string(a.answer.Vote), nullable(a.answer.Confidence),
			a.answer.Flipped, a.answer.Reason, ledger.Now())
		if err != nil {
			return err
		}
		for i, r := range a.answer.Requests {
			if r.Key == "" { // the critic keeps nothing itself
				r.Key = fmt.Sprintf("%s/%x/%d/%d", l.report.Annotator, q.Key, q.Query, i)
				if err := putRequest(ctx, tx, q, r, true); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO vote_requests SELECT ?, ?, ?, ?, id FROM requests WHERE key = ? AND answered = 1
				ON CONFLICT DO NOTHING`, a.task.transition, a.task.agent, l.id, q.Query, r.Key)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// count adds a committed group to the report.
func (l *labelling) count(group []answered) {
	l.mu.Lock()
	l.inARow = 0
	for _, a := range group {
		l.report.Asked++
		if a.answer.Vote == shaping.Invalid {
			l.report.Invalid++
			continue
		}
		l.report.Valid++
		if a.answer.Vote == shaping.Tie {
			l.report.Tie++
		}
		if a.answer.Flipped {
			l.report.Flipped++
		}
	}
	now := l.report
	l.mu.Unlock()
	if l.opt.Progress != nil {
		l.opt.Progress(now)
	}
}
