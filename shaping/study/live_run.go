package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"marlpit/envs"
	"marlpit/shaping/votes"
)

const (
	quietPolls  = 15             // without anything new until what there is gets fitted
	leastPairs  = 8              // new transitions at a time, at least
	retryMost   = 64             // times Retry
	farAway     = 24 * time.Hour // nothing to do until somebody wakes it
	concurrency = 4              // questions under way at once, of critics that are called over a network
	errorsInRow = 3              // of questions, until a run breaks off
	failingAt   = 3              // likewise, until the critic counts as failing
)

// run works until it is stopped.
func (x *Labeling) run(ctx context.Context) {
	defer close(x.done)
	wait := time.Duration(0)
	for {
		timer := time.NewTimer(wait)
		select {
		case <-x.quit:
			timer.Stop()
			return
		case <-x.woken:
		case <-timer.C:
		}
		timer.Stop()
		select {
		case <-x.quit:
			return
		default:
		}
		wait = x.safely(ctx)
	}
}

// safely is a round; a panic of the world's or of fitting ends the labelling,
// not the server.
func (x *Labeling) safely(ctx context.Context) (wait time.Duration) {
	defer func() {
		if v := recover(); v != nil {
			wait = x.broken(ctx, panicked{fmt.Errorf("panic: %v\n%s", v, debug.Stack())})
		}
	}()
	return x.round(ctx)
}

// round keeps what games have seen, asks about it until a model is due, fits
// that, and tells how long nothing is to be done.
func (x *Labeling) round(ctx context.Context) time.Duration {
	if !x.wanted() {
		return farAway
	}
	if err := x.keep(ctx); err != nil {
		return x.broken(ctx, err)
	}
	var unanswered error
	if x.questions() > 0 {
		unanswered = x.label(ctx)
	}
	if x.due() { // what was answered counts, also where the critic failed in the end
		if err := x.fit(ctx); err != nil {
			return x.broken(ctx, err)
		}
	}
	if unanswered != nil {
		return x.broken(ctx, unanswered)
	}
	return x.next()
}

// wanted says whether there is anybody to work for.
func (x *Labeling) wanted() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sessions > 0 && x.state != stopped && x.state != done && x.state != failed {
		return true
	}
	if x.state == running || x.state == waiting {
		x.set(waiting, "no session uses it")
	}
	x.live.Want(false)
	return false
}

func (x *Labeling) questions() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.spent || x.state == stopped {
		return 0
	}
	return x.open()
}

// room is how many new transitions are to be kept now: about as many as make
// the next model due, so that later ones are of what the learner does then.
func (x *Labeling) room() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.about.Live
	if x.spent || x.open() >= o.RefitEvery {
		return 0
	}
	each := len(x.env.Spec().Agents) * o.Queries
	return min(o.Transitions-x.kept, max((o.RefitEvery+each-1)/each, leastPairs))
}

// keep adds to the vote file what is new in the samples of games.
func (x *Labeling) keep(ctx context.Context) error {
	room := x.room()
	x.live.Want(room > 0)
	if room <= 0 {
		return nil
	}
	snap, _ := envs.As[envs.Snapshotter](x.env)
	frame := envs.NewFrame(x.env.Spec())
	var fresh []votes.Transition
	seen := 0
	for _, s := range x.live.Drain() {
		seen++
		t := votes.Transition{Actions: slices.Clone(s.Choice), SnapshotA: slices.Clone(s.A), SnapshotB: slices.Clone(s.B), Terminal: s.Terminal}
		if err := snap.Restore(s.A, frame); err != nil {
			return fmt.Errorf("study: a game's snapshot: %w", err)
		}
		t.StateA = slices.Clone(frame.State)
		if err := snap.Restore(s.B, frame); err != nil {
			return fmt.Errorf("study: a game's snapshot: %w", err)
		}
		t.StateB = slices.Clone(frame.State)
		if key := votes.PairKey(t.StateA, t.StateB); !slices.Equal(t.StateA, t.StateB) && !x.known[key] && len(fresh) < room {
			x.known[key] = true
			fresh = append(fresh, t)
		}
	}
	added, err := x.add(ctx, fresh)
	if err != nil {
		for _, t := range fresh {
			delete(x.known, votes.PairKey(t.StateA, t.StateB))
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seen += seen
	x.kept += added
	if added > 0 {
		x.news = time.Now()
	}
	return err
}

func (x *Labeling) add(ctx context.Context, fresh []votes.Transition) (int, error) {
	if len(fresh) == 0 {
		return 0, nil
	}
	solver, err := annotate(x.of.manners.polite(ctx), x.env, fresh)
	if err != nil {
		return 0, err
	}
	return x.db.Add(ctx, worldOf(x.env), votes.Collection{
		Seed: x.about.Live.Seed, Policy: "live", Params: x.env.Spec().Params, Kept: len(fresh),
		Changed: int64(len(fresh)), Distinct: int64(len(fresh)), Solver: solver, // the frames are the learner's own
	}, fresh)
}

// label asks until a model is due, or nothing is open.
func (x *Labeling) label(ctx context.Context) error {
	o := x.about.Live
	x.mu.Lock()
	if x.sessions == 0 || x.state == stopped {
		x.mu.Unlock()
		return nil
	}
	x.halt, x.halted = make(chan struct{}), false
	if x.unfit > 0 && x.tied() {
		x.set(running, onlyTies) // a model was due, and there is none
	} else {
		x.set(running, "")
	}
	halt := x.halt
	x.mu.Unlock()
	report, err := x.db.Label(ctx, x.asked, votes.LabelOptions{
		View: o.Viewpoint, Queries: o.Queries, Concurrency: x.asked.concurrency(), MaxErrors: errorsInRow, Stop: halt, Progress: x.heard,
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = report
	x.total, x.now = x.sum(), votes.Report{}
	x.halt = nil
	x.spent = x.spent || err == nil && report.Stopped != "" && !x.halted
	if err == nil && report.Failed > 0 && report.Asked == 0 && !x.halted {
		err = fmt.Errorf("%d questions got no answer, the last because: %w", report.Failed, cmp.Or(x.last, errors.New(report.LastError)))
	}
	if err == nil {
		x.retry = 0
	}
	return err
}

// heard is called after each answer.
func (x *Labeling) heard(r votes.Report) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = r
	if x.sum().Asked >= x.fitAt {
		x.interrupt()
	}
}

// due says whether a model is to be fitted: after RefitEvery answers, or when
// nothing more will come, or nothing has come for a while.
func (x *Labeling) due() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	asked := x.sum().Asked
	switch {
	case x.state == stopped || asked == x.fitted:
		return false
	case asked >= x.fitAt:
		return true
	case asked <= x.unfit: // tried in vain
		return false
	}
	quiet := time.Since(x.news) > quietPolls*x.of.cfg.Poll
	return x.spent || (x.open() == 0 || x.retry > 0) && (quiet || x.kept >= x.about.Live.Transitions)
}

// onlyTies is why no model comes into force though there are votes.
const onlyTies = "every vote so far is a tie"

// tied says whether there are votes, none of which decides anything: a model
// fitted to them would reward nothing; the caller holds the lock.
func (x *Labeling) tied() bool {
	s := x.sum()
	return s.Valid > 0 && s.Tie == s.Valid
}

// fit puts the next model in force: first on disk, then in the games. Votes that
// are ties alone make none.
func (x *Labeling) fit(ctx context.Context) error {
	o := x.about.Live
	x.mu.Lock()
	asked := x.sum().Asked
	if x.tied() {
		defer x.mu.Unlock()
		x.unfit, x.fitAt = asked, asked+MinPairs
		return nil
	}
	x.set(running, "")
	x.mu.Unlock()
	m, _, err := Fit(x.of.manners.polite(ctx), x.db, FitOptions{Annotator: x.about.Annotator, Members: 1, Seed: o.Seed, Name: x.ID(), CreatedBy: x.of.cfg.CreatedBy})
	if errors.Is(err, ErrVotes) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.unfit, x.fitAt = asked, asked+MinPairs
		x.reason = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	m.Header.Version = x.version + 1
	m.Header.Seeds = []uint64{o.Seed}
	if err := x.keepModel(m); err != nil {
		return err
	}
	if err := x.live.Use(m); err != nil {
		return err
	}
	x.mu.Lock()
	x.fitted, x.fitAt = asked, asked+o.RefitEvery
	x.mu.Unlock()
	p := x.Progress()
	x.of.cfg.Told(x.ID(), fmt.Sprintf("model version %d is in force: %d of %d held-out votes", p.ModelVersion, p.HeldOut.Right, p.HeldOut.N), nil)
	return nil
}

// next tells when to look again, and notes when everything is done.
func (x *Labeling) next() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	asked := x.sum().Asked
	fitted := asked == x.fitted || asked <= x.unfit
	switch {
	case x.state == stopped || x.sessions == 0:
		return 0 // wanted tells the rest
	case x.spent && fitted:
		x.set(done, votes.ErrBudget.Error())
		return 0
	case x.kept >= x.about.Live.Transitions && x.open() == 0 && fitted:
		reason := ""
		switch {
		case x.tied():
			reason = onlyTies
		case asked != x.fitted:
			reason = x.reason
		}
		x.set(done, reason)
		return 0
	case x.spent || x.open() > 0:
		return x.of.cfg.Poll / 8 // more to do; games go first
	}
	if x.tied() {
		x.set(waiting, onlyTies)
	} else {
		x.set(waiting, "for transitions")
	}
	return x.of.cfg.Poll
}

// broken notes why a round ended early, and tells when to try again.
func (x *Labeling) broken(ctx context.Context, err error) time.Duration {
	if ctx.Err() != nil {
		return farAway
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fail(err)
	if hopeless(err) {
		x.set(failed, public(err))
		return farAway
	}
	x.set(waiting, public(err))
	x.retry = min(max(2*x.retry, x.of.cfg.Retry), retryMost*x.of.cfg.Retry)
	return x.retry
}
