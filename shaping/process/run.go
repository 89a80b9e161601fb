package process

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// RunOptions say how a recorded set is scored. Zero values take the defaults named.
type RunOptions struct {
	Concurrency int             // rounds asked about at a time; 0: 4
	Stop        <-chan struct{} // closed: what is under way is finished, nothing more is asked
	Progress    func(Report)    // is told after each answer; one call at a time; nil: nobody is
	Enough      int             // failures in a row after which the run ends; 0: 10
}

// Report says what became of a set of rounds.
type Report struct {
	Critic    string `json:"critic"`
	Rounds    int    `json:"rounds"` // different ones that were given
	Before    int    `json:"before"` // answered in an earlier run
	Asked     int    `json:"asked"`  // answered in this one
	Valid     int    `json:"valid"`
	Invalid   int    `json:"invalid"`
	Unasked   int    `json:"unasked"` // without an answer
	Stopped   string `json:"stopped,omitempty"`
	LastError string `json:"last_error,omitempty"`
}

// Run has a critic score rounds that it hasn't answered for yet, several at a
// time, and keeps each answer in db before it counts it: a run that was broken
// off goes on where it was. The error is that of the file, or one after which
// asking on is pointless; the report is right then, too.
func Run(ctx context.Context, db *DB, critic Critic, records []*Record, opt RunOptions) (Report, error) {
	if opt.Concurrency <= 0 {
		opt.Concurrency = 4
	}
	if opt.Enough <= 0 {
		opt.Enough = 10
	}
	r := &run{db: db, critic: critic, opt: opt, report: Report{Critic: critic.Name()}}
	open, err := r.open(ctx, records)
	if err != nil {
		return r.report, err
	}
	var group errgroup.Group
	group.SetLimit(opt.Concurrency)
	for _, x := range open {
		if r.over(ctx) {
			break
		}
		group.Go(func() error { r.one(ctx, x); return nil })
	}
	_ = group.Wait() // nothing returns one
	r.report.Unasked = len(open) - r.report.Asked
	return r.report, r.err
}

type run struct {
	db     *DB
	critic Critic
	opt    RunOptions

	mu     sync.Mutex
	report Report
	inARow int
	err    error
}

// open keeps the rounds, and lists those without an answer.
func (r *run) open(ctx context.Context, records []*Record) ([]*Record, error) {
	var out []*Record
	seen := map[Key]bool{}
	for _, x := range records {
		if seen[x.Key()] {
			continue
		}
		seen[x.Key()] = true
		r.report.Rounds++
		_, ok, err := r.db.Find(ctx, r.report.Critic, x)
		if err != nil {
			return nil, err
		}
		if ok {
			r.report.Before++
			continue
		}
		out = append(out, x)
	}
	return out, r.db.Add(ctx, records...)
}

func (r *run) over(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.opt.Stop:
		r.stop("it was stopped")
	default:
	}
	if ctx.Err() != nil {
		r.stop("it was broken off")
	}
	return r.report.Stopped != ""
}

// stop notes why nothing more is asked; the caller holds the lock.
func (r *run) stop(why string) {
	if r.report.Stopped == "" {
		r.report.Stopped = why
	}
}

func (r *run) one(ctx context.Context, x *Record) {
	if r.over(ctx) {
		return
	}
	a, err := safely(ctx, r.critic, x)
	kept := true
	if err == nil {
		err = r.db.Save(context.WithoutCancel(ctx), r.report.Critic, x, a)
		kept = err == nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.failed(err, kept)
	} else {
		r.inARow = 0
		r.report.Asked++
		if a.Valid() {
			r.report.Valid++
		} else {
			r.report.Invalid++
		}
	}
	if r.opt.Progress != nil {
		r.opt.Progress(r.report)
	}
}

// failed notes a round that got no answer; the caller holds the lock.
func (r *run) failed(err error, kept bool) {
	if errors.Is(err, context.Canceled) && !kept {
		return
	}
	r.report.LastError = err.Error()
	r.inARow++
	var hopeless interface{ Fatal() bool }
	switch {
	case !kept:
		r.err = err
		r.stop("an answer could not be kept")
	case errors.As(err, &hopeless) && hopeless.Fatal():
		r.stop("asking on is pointless")
	case r.inARow >= r.opt.Enough:
		r.stop("too many failures in a row")
	}
}
