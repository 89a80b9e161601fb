package study

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"marlpit/shaping"
	"marlpit/shaping/ledger"
	"marlpit/shaping/llm"
	"marlpit/shaping/votes"
)

// observed is the critic of a labelling, with a budget, whose answers are
// counted. It rests after each answer where games are busy; one that asks nobody
// rests in any case: thousands of answers a second would keep the disk busy.
type observed struct {
	shaping.Critic
	budget  *votes.Budget
	remote  bool
	heard   func(outcome string, err error)
	manners *manners
}

const (
	localRest  = 2 * time.Millisecond
	answerWork = 500 * time.Microsecond // of the processor: asking, reading and saving
)

// ask builds the critic, with what earlier runs have left of its budget.
func (x *Labeling) ask(ctx context.Context) (*observed, error) {
	budget := votes.NewBudget(votes.Limits{Requests: x.about.Live.BudgetRequests})
	spent, err := x.db.Spendings(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range spent {
		budget.Spent(shaping.Usage{}, shaping.Usage{Requests: s.Requests})
	}
	c, err := x.critic.Build(CriticDeps{Store: x.db.Recorder(), Meter: budget, Stop: x.over})
	if err != nil {
		return nil, err
	}
	remote := x.critic.Kind == "openai"
	if remote {
		if err := NotePrompts(ctx, x.db, llm.Prompts()); err != nil {
			return nil, err
		}
	}
	return &observed{Critic: c, budget: budget, remote: remote, heard: x.called, manners: x.of.manners}, nil
}

func (o *observed) concurrency() int {
	if o.remote {
		return concurrency
	}
	return 1
}

// panicked is a bug that showed as a panic.
type panicked struct{ error }

// Fatal is true: it would show again.
func (panicked) Fatal() bool { return true }

// Ask asks and counts.
func (o *observed) Ask(ctx context.Context, q shaping.Question) (shaping.Answer, error) {
	a, err := o.safely(ctx, q)
	switch {
	case ctx.Err() != nil || errors.Is(err, votes.ErrBudget) || errors.Is(err, llm.ErrStopped):
	case err != nil:
		o.heard("failed", err)
	case a.Vote == shaping.Invalid:
		o.heard("invalid", nil)
	default:
		o.heard("ok", nil)
	}
	if !o.remote && err == nil {
		time.Sleep(localRest)
	}
	o.manners.rest(answerWork)
	return a, err
}

func (o *observed) safely(ctx context.Context, q shaping.Question) (a shaping.Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked{fmt.Errorf("the critic's code: panic: %v\n%s", v, debug.Stack())}
		}
	}()
	return o.Critic.Ask(ctx, q)
}

// called counts an answer, and notes when the critic fails and when it is back.
func (x *Labeling) called(outcome string, err error) {
	x.of.cfg.Called(x.critic.Name, outcome)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.last = err
		if x.errors++; x.errors >= failingAt {
			x.fail(err)
		}
		return
	}
	x.errors = 0
	if x.failing {
		x.failing = false
		x.live.SetFailing(false)
		x.of.cfg.Told(x.ID(), "the critic answers again", nil)
	}
}

// fail notes that nothing can be had at present; the caller holds the lock.
func (x *Labeling) fail(err error) {
	if !x.failing {
		x.failing = true
		x.live.SetFailing(true)
		x.of.cfg.Told(x.ID(), "failing; the last model stays in force", err)
	}
}

// hopeless says whether asking again is pointless until somebody has mended
// something. An endpoint that is down may come back.
func hopeless(err error) bool {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e.Fatal() && e.Status != 0
	}
	var fatal interface{ Fatal() bool }
	return errors.As(err, &fatal) && fatal.Fatal() || errors.Is(err, shaping.ErrTruth)
}

// public is what a client may know of an error: neither addresses nor paths of
// the server.
func public(err error) string {
	const more = "; the server's log says more"
	if e, ok := errors.AsType[*llm.Error](err); ok {
		if e.Status == 200 {
			return "the critic's endpoint answers, but not with what can be read" + more
		}
		if e.Status > 0 {
			return fmt.Sprintf("the critic's endpoint answers with status %d", e.Status) + more
		}
		return "the critic's endpoint can't be reached" + more
	}
	if _, ok := errors.AsType[*ledger.DiskError](err); ok {
		return "the vote file can't be written" + more
	}
	for _, known := range []error{shaping.ErrTruth, shaping.ErrFamily} {
		if errors.Is(err, known) {
			return err.Error()
		}
	}
	return "the critic can't be had" + more
}

// count reads how many votes there are.
func (x *Labeling) count(ctx context.Context) error {
	counts, err := x.db.Counts(ctx, x.about.Annotator, false, x.about.Live.Queries)
	if err != nil {
		return err
	}
	for _, c := range counts {
		x.total.Asked += c.Valid() + c.Invalid
		x.total.Valid += c.Valid()
		x.total.Tie += c.Tie
		x.total.Invalid += c.Invalid
	}
	x.fitAt = x.fitted + x.about.Live.RefitEvery
	x.kept, err = x.db.Count(ctx)
	return err
}
