package votes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"marlpit/shaping"
)

// LabelOptions say what is asked. Zero values take the defaults named.
type LabelOptions struct {
	View        string          // "guided" (default) or "plain": whose words the critic reads
	Queries     int             // votes wanted of each transition and agent; 0: 1
	Team        bool            // ask about the team as a whole, not about each agent
	Only        []Side          // ask about these alone, in this order; nil: about all
	Concurrency int             // questions under way at once; 0: 1
	MaxErrors   int             // errors in a row that end it; 0: 10
	Stop        <-chan struct{} // closed: finish what is under way, ask nothing new
	Progress    func(Report)    // called after each answer, from one goroutine
}

// Side is one agent's side of a transition: what a question is about.
type Side struct {
	Transition int64
	Agent      int // Team for the team as a whole
}

// Report counts what became of the questions.
type Report struct {
	Annotator string `json:"annotator"`
	Wanted    int    `json:"wanted"`  // transitions × agents × queries
	Before    int    `json:"before"`  // of them answered by earlier runs
	Asked     int    `json:"asked"`   // answered by this run: valid and invalid
	Valid     int    `json:"valid"`   // first, second or tie
	Tie       int    `json:"tie"`     // of the valid ones
	Flipped   int    `json:"flipped"` // of the ties: the two orders contradicted each other
	Invalid   int    `json:"invalid"` // an answer that could not be read; never trained as a tie
	Failed    int    `json:"failed"`  // no answer to be had; asked again by the next run
	Unasked   int    `json:"unasked"` // what remains, failed ones included
	Stopped   string `json:"stopped,omitempty"`
	LastError string `json:"last_error,omitempty"`
}

// Name is the annotator that a critic's votes are kept under.
func Name(c shaping.Critic, view string) string { return c.Name() + " viewpoint=" + view }

// Label asks a critic whatever its annotator hasn't answered yet, query by
// query, so that stopping early leaves every transition about equally asked.
// Every answer is committed before it counts. A question that fails stays
// open. The report is right in every case; the error is nil when the labelling
// was finished, stopped or out of budget, and else says why it broke off.
func (db *DB) Label(ctx context.Context, critic shaping.Critic, opt LabelOptions) (Report, error) {
	opt, err := opt.complete()
	if err != nil {
		return Report{}, err
	}
	l := &labelling{db: db, critic: critic, opt: opt, over: make(chan struct{}), report: Report{Annotator: Name(critic, opt.View)}}
	if err := l.begin(ctx); err != nil {
		return l.report, err
	}
	defer l.finish()
	tasks, err := db.open(ctx, &l.report, opt)
	if err != nil {
		return l.report, err
	}
	err = l.run(context.WithValue(ctx, annotatorKey{}, l.id), tasks)
	l.report.Unasked = l.report.Wanted - l.report.Before - l.report.Asked
	return l.report, err
}

func (o LabelOptions) complete() (LabelOptions, error) {
	if o.View == "" {
		o.View = "guided"
	}
	if o.View != "guided" && o.View != "plain" {
		return o, fmt.Errorf("votes: the viewpoint is guided or plain, got %q", o.View)
	}
	o.Queries, o.Concurrency = max(o.Queries, 1), max(o.Concurrency, 1)
	if o.MaxErrors <= 0 {
		o.MaxErrors = 10
	}
	return o, nil
}

// labelling is one run of Label.
type labelling struct {
	db     *DB
	critic shaping.Critic
	opt    LabelOptions
	id     int64  // of the annotator
	owner  string // of the lock

	over chan struct{} // closed when nothing new is to be asked

	mu     sync.Mutex
	report Report
	inARow int
	ended  error // why over was closed; ErrBudget is no failure
}

// run works through the tasks. What is under way is broken off only when the
// caller's context ends, or answers can't be saved; a stop, a used-up budget
// and a critic's errors let it finish: it is paid for.
func (l *labelling) run(ctx context.Context, tasks []task) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go l.beat(ctx, cancel)
	queue, answers := make(chan task), make(chan answered, 512)
	go l.feed(ctx, queue, tasks)

	var workers sync.WaitGroup
	for range l.opt.Concurrency {
		workers.Go(func() {
			for t := range queue {
				l.work(ctx, t, answers)
			}
		})
	}
	go func() {
		workers.Wait()
		close(answers)
	}()
	l.save(answers, cancel)

	if err := context.Cause(ctx); err != nil {
		return err
	}
	if errors.Is(l.ended, ErrBudget) {
		l.report.Stopped = l.ended.Error()
		return nil
	}
	return l.ended
}

func (l *labelling) feed(ctx context.Context, queue chan<- task, tasks []task) {
	defer close(queue)
	for _, t := range tasks {
		select { // a stop goes before anything new
		case <-l.opt.Stop:
			l.stopped()
			return
		case <-l.over:
			return
		default:
		}
		select {
		case queue <- t:
		case <-l.opt.Stop:
			l.stopped()
			return
		case <-l.over:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (l *labelling) stopped() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Stopped = "stopped"
}

// work asks one question and hands the answer to be saved. Where it was paid
// for, it waits until the answer is on disk.
func (l *labelling) work(ctx context.Context, t task, answers chan<- answered) {
	if ctx.Err() != nil {
		return
	}
	a, err := l.critic.Ask(ctx, t.question)
	if err == nil {
		err = check(&a)
	}
	if errors.Is(err, shaping.ErrTruth) || errors.Is(err, shaping.ErrFamily) { // what the file lacks, and where
		err = fmt.Errorf("%s: %w", side(t.transition, t.agent), err)
	}
	if err != nil {
		l.failed(ctx, err)
		return
	}
	out := answered{task: t, answer: a}
	if len(a.Requests) > 0 {
		out.saved = make(chan struct{})
	}
	answers <- out
	if out.saved != nil {
		<-out.saved
	}
}

// failed counts an error, and lets nothing new be asked where going on is pointless.
func (l *labelling) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // ended from outside; the question stays open
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, ErrBudget) {
		l.end(err)
		return
	}
	if errors.Is(err, context.Canceled) {
		return // it was waiting for its turn when all was stopped, and wasn't sent
	}
	l.report.Failed++
	l.report.LastError = err.Error()
	if errors.Is(err, shaping.ErrNoVote) {
		return // says nothing about the next question
	}
	l.inARow++
	var fatal interface{ Fatal() bool }
	switch {
	case errors.As(err, &fatal) && fatal.Fatal(), errors.Is(err, shaping.ErrTruth):
		l.end(err)
	case l.inARow >= l.opt.MaxErrors:
		l.end(fmt.Errorf("%d errors in a row, the last: %w", l.inARow, err))
	}
}

// end closes over, once; the caller holds the lock.
func (l *labelling) end(why error) {
	if l.ended == nil {
		l.ended = why
		close(l.over)
	}
}
