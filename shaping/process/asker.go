package process

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// ErrDeadline is returned by Asker.Ask where no answer came in time.
var ErrDeadline = errors.New("no answer in time")

// AskOptions say how games wait for a critic. Zero values take the defaults named.
type AskOptions struct {
	Deadline    time.Duration                   // after which a step goes on without scores; 0: 30 s
	Concurrency int                             // rounds asked about at a time; 0: 16
	Stop        <-chan struct{}                 // closed: nobody waits for long any more; nil: it never is
	Heard       func(outcome string, err error) // is told of each answer: ok, invalid, cached or failed, then with the reason; from several goroutines; nil: nobody is
}

// Counts are what became of the rounds that were put to an Asker.
type Counts struct {
	Asked   int `json:"asked"`   // of the critic
	Valid   int `json:"valid"`   // answers of it
	Invalid int `json:"invalid"` // answers of it that can't be used
	Cached  int `json:"cached"`  // had been answered before
	Failed  int `json:"failed"`  // without any answer in time: steps, not requests
}

// Asker puts rounds to a critic for games that wait. Equal rounds are asked
// about once; an answer is on disk before anybody gets it. One that comes after
// the deadline is kept all the same, for the next to ask. Its methods may be
// called from several goroutines.
type Asker struct {
	critic Critic
	db     *DB
	opt    AskOptions
	ctx    context.Context
	end    context.CancelFunc
	slots  chan struct{}
	work   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	known   map[Key]*Answer
	flights map[Key]*flight
	counts  Counts
}

// flight is a round that is being asked about.
type flight struct {
	done   chan struct{} // closed when there is an answer, or none will be
	answer *Answer       // nil: there is none
	err    error
}

// NewAsker makes one. Answers are kept in db, under the critic's name.
func NewAsker(critic Critic, db *DB, opt AskOptions) *Asker {
	if opt.Deadline <= 0 {
		opt.Deadline = 30 * time.Second
	}
	if opt.Concurrency <= 0 {
		opt.Concurrency = 16
	}
	if opt.Heard == nil {
		opt.Heard = func(string, error) {}
	}
	a := &Asker{critic: critic, db: db, opt: opt, slots: make(chan struct{}, opt.Concurrency), known: map[Key]*Answer{}, flights: map[Key]*flight{}}
	a.ctx, a.end = context.WithCancel(context.Background())
	return a
}

// Ask gives the answer to the round of a text, which it doesn't keep. It waits
// until the deadline. Where there is none, the error says why.
func (a *Asker) Ask(text []byte) (*Answer, error) {
	k := KeyOf(text)
	a.mu.Lock()
	if got, ok := a.known[k]; ok {
		a.counts.Cached++
		a.mu.Unlock()
		a.opt.Heard("cached", nil)
		return got, nil
	}
	f := a.flights[k]
	if f == nil && !a.closed {
		f = &flight{done: make(chan struct{})}
		a.flights[k] = f
		a.work.Add(1)
		go a.fly(f, k, append([]byte(nil), text...))
	}
	a.mu.Unlock()
	if f == nil {
		return nil, a.failed(context.Canceled)
	}
	end, stop := time.Now().Add(a.opt.Deadline), a.opt.Stop
	timer := time.NewTimer(a.opt.Deadline)
	defer timer.Stop()
	for {
		select {
		case <-f.done:
			if f.err != nil {
				return nil, a.failed(f.err)
			}
			return f.answer, nil
		case <-stop:
			stop = nil
			timer.Reset(min(time.Until(end), lastWait))
		case <-timer.C:
			return nil, a.failed(fmt.Errorf("%w, %v", ErrDeadline, a.opt.Deadline))
		}
	}
}

// lastWait is how long what is under way is waited for once all is to end.
const lastWait = 5 * time.Second

func (a *Asker) failed(err error) error {
	a.mu.Lock()
	a.counts.Failed++
	a.mu.Unlock()
	a.opt.Heard("failed", err)
	return err
}

// fly gets one answer.
func (a *Asker) fly(f *flight, k Key, text []byte) {
	defer a.work.Done()
	var outcome string
	f.answer, outcome, f.err = a.answer(text)
	a.mu.Lock()
	delete(a.flights, k)
	if f.err == nil {
		a.known[k] = f.answer
	}
	switch outcome {
	case "cached":
		a.counts.Cached++
	case "ok":
		a.counts.Asked++
		a.counts.Valid++
	case "invalid":
		a.counts.Asked++
		a.counts.Invalid++
	}
	a.mu.Unlock()
	if f.err == nil { // who waits tells of failures
		a.opt.Heard(outcome, nil)
	}
	close(f.done)
}

// answer looks a round up, or asks.
func (a *Asker) answer(text []byte) (_ *Answer, outcome string, err error) {
	r, err := ParseRecord(text)
	if err != nil {
		return nil, "", err
	}
	got, ok, err := a.db.Find(a.ctx, a.critic.Name(), r)
	if err != nil {
		return nil, "", err
	}
	if ok {
		got = Checked(got, len(r.Proposals))
		return &got, "cached", nil
	}
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-a.ctx.Done():
		return nil, "", a.ctx.Err()
	}
	if got, err = safely(a.ctx, a.critic, r); err != nil {
		return nil, "", err
	}
	// Not the asker's context: what was answered is kept even when it ends.
	if err := a.db.Save(context.Background(), a.critic.Name(), r, got); err != nil {
		return nil, "", err
	}
	if !got.Valid() {
		return &got, "invalid", nil
	}
	return &got, "ok", nil
}

// safely asks, and makes a panic of a critic's code an error.
func safely(ctx context.Context, c Critic, r *Record) (a Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fatal{fmt.Errorf("process: the critic's code: panic: %v\n%s", v, debug.Stack())}
		}
	}()
	if a, err = c.Score(ctx, r); err != nil {
		return Answer{}, err
	}
	return Checked(a, len(r.Proposals)), nil
}

// fatal is an error after which asking on is pointless.
type fatal struct{ error }

// Fatal says so.
func (fatal) Fatal() bool { return true }

// Counts tells what became of the rounds so far.
func (a *Asker) Counts() Counts {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts
}

// Close lets nobody ask any more, breaks off what is under way, and waits for it.
func (a *Asker) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.end()
	a.work.Wait()
}
