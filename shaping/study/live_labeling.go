package study

import (
	"context"
	"sync"
	"time"

	"marlpit/envs"
	"marlpit/shaping/prefer"
	"marlpit/shaping/votes"
	"marlpit/wrappers"
)

// LiveState is what a live labelling is doing.
type LiveState string

// The states.
const (
	running LiveState = "running" // asking, or fitting
	waiting LiveState = "waiting" // for transitions, for a session, or for its critic
	stopped LiveState = "stopped" // cancelled
	done    LiveState = "done"    // all that was wanted is answered, or the budget is used up
	failed  LiveState = "failed"  // going on is pointless until somebody mends what Reason says; the next session tries again
)

// LiveProgress tells how far a live labelling is.
type LiveProgress struct {
	ID           string               `json:"id"`
	Env          string               `json:"env"`
	Params       map[string]any       `json:"params"`
	Live         wrappers.LiveOptions `json:"live"`
	Annotator    string               `json:"annotator"` // in the vote file
	Created      string               `json:"created"`   // RFC 3339
	State        LiveState            `json:"state"`
	Reason       string               `json:"reason"`   // of the state; "" where it needs none
	Failing      bool                 `json:"failing"`  // the critic can't be had at present
	Sessions     int                  `json:"sessions"` // that use it
	Seen         int                  `json:"seen"`     // transitions looked at, since the server began
	Kept         int                  `json:"kept"`     // of them, and of earlier runs
	Asked        int                  `json:"asked"`    // votes: valid and invalid
	Valid        int                  `json:"valid"`
	Tie          int                  `json:"tie"` // of the valid
	Invalid      int                  `json:"invalid"`
	Failed       int                  `json:"failed"` // questions without an answer, since the server began; they are asked again
	Open         int                  `json:"open"`   // questions still to be asked, of transitions that are kept
	Requests     int                  `json:"requests"`
	BudgetLeft   int                  `json:"budget_left"`
	ModelVersion int                  `json:"model_version"` // in force for episodes that begin now
	HeldOut      LiveAccuracy         `json:"held_out"`      // of that model, on the votes it wasn't fitted to
}

// LiveAccuracy is how often a model agrees with held-out votes that aren't ties.
type LiveAccuracy struct {
	Right    int     `json:"right"`
	N        int     `json:"n"`
	Accuracy float64 `json:"accuracy"` // Right/N; 0 where N is
	Low      float64 `json:"low"`      // Wilson's 95 % interval
	High     float64 `json:"high"`
}

// Labeling is one live labelling.
type Labeling struct {
	of     *Labelings
	dir    string
	about  manifest // as it was opened: constant
	critic LiveCritic
	env    envs.Env // a game of its own, for words, features and credit
	live   *wrappers.Live
	db     *votes.DB
	asked  *observed
	known  map[uint64]bool // pairs of states that were kept in this run

	version int // the newest that a file was named by

	quit    chan struct{} // closed to end it
	over    chan struct{} // closed when nothing is to be asked any more: ended or cancelled
	woken   chan struct{} // holds one: look what there is to do
	done    chan struct{} // closed when the run has ended
	hard    context.CancelFunc
	started bool

	mu       sync.Mutex
	sessions int
	leftAt   time.Time
	state    LiveState
	reason   string
	failing  bool
	errors   int   // of the critic, in a row
	last     error // of them
	seen     int
	kept     int
	total    votes.Report  // of all runs before the present one: Asked, Valid, Tie, Invalid, Failed
	now      votes.Report  // of the present run
	halt     chan struct{} // of the present run; nil when none is
	halted   bool
	fitted   int // answers that the model in force was fitted to
	fitAt    int // answers at which the next is due
	unfit    int // answers that were too few to fit anything to
	news     time.Time
	retry    time.Duration
	spent    bool // the budget is used up
}

// ID is its name: equal options in equal worlds have equal ids.
func (x *Labeling) ID() string { return x.about.ID }

// Live is what games share with it.
func (x *Labeling) Live() *wrappers.Live { return x.live }

// Options are those of the session that began it, as resolved.
func (x *Labeling) Options() wrappers.LiveOptions { return x.about.Live }

// Share counts one more session, which has to Leave once. Work begins or goes
// on, unless it was cancelled.
func (x *Labeling) Share() {
	x.mu.Lock()
	x.sessions++
	if x.state == failed {
		x.state, x.reason = waiting, ""
	}
	if !x.started && x.state != stopped {
		x.started = true
		ctx, cancel := context.WithCancel(context.Background())
		x.hard = cancel
		go x.run(ctx)
	}
	x.mu.Unlock()
	x.wake()
}

// Leave ends a Share. Without sessions nothing is asked.
func (x *Labeling) Leave() {
	x.mu.Lock()
	x.sessions--
	x.leftAt = time.Now()
	if x.sessions == 0 {
		x.interrupt()
	}
	x.mu.Unlock()
	x.wake()
}

// left tells since when no session uses it, and whether that is so.
func (x *Labeling) left() (time.Time, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.leftAt, x.sessions == 0
}

// Cancel ends the asking for good: what is under way is finished. The last
// model stays in force, and what was paid for stays on disk.
func (x *Labeling) Cancel() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.state == stopped {
		return nil
	}
	m := x.about
	m.Cancelled = true
	if err := m.write(x.dir); err != nil {
		return err
	}
	x.set(stopped, "cancelled")
	x.finish()
	x.wake()
	return nil
}

// set changes the state and tells of it; the caller holds the lock.
func (x *Labeling) set(s LiveState, reason string) {
	if x.state == stopped || x.state == s && x.reason == reason {
		return
	}
	x.state, x.reason = s, reason
	what := string(s)
	if reason != "" {
		what += ": " + reason
	}
	x.of.cfg.Told(x.ID(), what, nil)
}

// interrupt lets the present run ask nothing new; the caller holds the lock.
func (x *Labeling) interrupt() {
	if x.halt != nil && !x.halted {
		x.halted = true
		close(x.halt)
	}
}

func (x *Labeling) wake() {
	select {
	case x.woken <- struct{}{}:
	default:
	}
}

// stop lets the run end; close waits for it.
func (x *Labeling) stop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	select {
	case <-x.quit:
	default:
		close(x.quit)
	}
	x.finish()
}

// finish lets nothing new be asked; the caller holds the lock.
func (x *Labeling) finish() {
	select {
	case <-x.over:
	default:
		close(x.over)
	}
	x.interrupt()
	x.live.Want(false)
}

func (x *Labeling) close(ctx context.Context) error {
	x.stop()
	if x.started {
		select {
		case <-x.done:
		case <-ctx.Done():
			x.hard()
			<-x.done
		}
		x.hard()
	}
	return x.db.Close()
}

// Progress tells how far it is.
func (x *Labeling) Progress() LiveProgress {
	x.mu.Lock()
	defer x.mu.Unlock()
	used := x.asked.budget.Used().Requests
	sum := x.sum()
	p := LiveProgress{
		ID: x.about.ID, Env: x.about.Env, Params: x.about.Params, Live: x.about.Live, Annotator: x.about.Annotator, Created: x.about.Created,
		State: x.state, Reason: x.reason, Failing: x.failing, Sessions: x.sessions, Seen: x.seen, Kept: x.kept,
		Asked: sum.Asked, Valid: sum.Valid, Tie: sum.Tie, Invalid: sum.Invalid, Failed: sum.Failed, Open: x.open(),
		Requests: used, BudgetLeft: max(x.about.Live.BudgetRequests-used, 0), ModelVersion: x.live.Version(),
	}
	if m := x.live.Model(); m != nil {
		for _, n := range m.Header.Nets {
			p.HeldOut.Right += n.HeldOut.Right
			p.HeldOut.N += n.HeldOut.N
		}
	}
	p.HeldOut.Accuracy = ratio(p.HeldOut.Right, p.HeldOut.N)
	p.HeldOut.Low, p.HeldOut.High = prefer.Wilson(p.HeldOut.Right, p.HeldOut.N)
	return p
}

// sum is what all runs have come to; the caller holds the lock.
func (x *Labeling) sum() votes.Report {
	s := x.total
	s.Asked += x.now.Asked
	s.Valid += x.now.Valid
	s.Tie += x.now.Tie
	s.Invalid += x.now.Invalid
	s.Failed += x.now.Failed
	return s
}

// open counts the questions that are kept and not answered; the caller holds
// the lock.
func (x *Labeling) open() int {
	return max(x.kept*len(x.env.Spec().Agents)*x.about.Live.Queries-x.sum().Asked, 0)
}
