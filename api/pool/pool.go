// Package pool steps n environments of one spec as one batch: rows are walked
// by fixed workers, episodes restart as the autoreset mode says, and a panic of
// an environment becomes an error. It knows no HTTP and no encoding.
package pool

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"marlpit/envs"
)

// Mode says what happens to a row whose episode has ended. An episode ends when
// every agent is terminated or truncated.
type Mode uint8

// The modes, as in Gymnasium.
const (
	Disabled Mode = iota // the row stays as it is, with rewards 0, until Reset
	NextStep             // the step after the end ignores the row's action and resets it
	SameStep             // the step that ends it also resets it; the last frame is in Batch.Final
)

// String returns the name used on the wire.
func (m Mode) String() string { return [...]string{"disabled", "next_step", "same_step"}[m] }

// ParseMode is the inverse of String.
func ParseMode(s string) (Mode, bool) {
	for m := Disabled; m <= SameStep; m++ {
		if m.String() == s {
			return m, true
		}
	}
	return 0, false
}

// Errors that callers tell apart with errors.Is.
var (
	// ErrNotReset is returned by Step when a row was never reset.
	ErrNotReset = errors.New("pool: not reset")

	// ErrFailed is returned by every call after an environment panicked; it is
	// a *Failure.
	ErrFailed = errors.New("pool: an environment panicked")

	// ErrNoSnapshot is returned where the environment can't be saved.
	ErrNoSnapshot = errors.New("pool: the environment has no snapshots")
)

// Failure is the panic of an environment.
type Failure struct {
	Row   int    // the row it happened in, -1 outside of rows
	Value any    // what was panicked with
	Stack []byte // of the goroutine
}

// Error names the row and the panic's value.
func (f *Failure) Error() string { return fmt.Sprintf("%v: row %d: %v", ErrFailed, f.Row, f.Value) }

// Unwrap makes errors.Is(f, ErrFailed) true.
func (f *Failure) Unwrap() error { return ErrFailed }

// Config is what a pool is made of.
type Config struct {
	Make    func() (envs.Env, error) // one row's environment with its wrappers; called N times, and again by Restore and Clone
	N       int                      // rows, at least 1
	Seed    uint64                   // of the session; row i, episode e gets envs.EpisodeSeed(Seed, i, e)
	Mode    Mode
	Workers int  // most goroutines a step is spread over; 0: GOMAXPROCS
	Waits   bool // environments wait for others in a step: every one is spread, row by row, over all workers
}

// Pool is n environments. It is not safe for concurrent use; the work of one
// call may be spread over goroutines of its own, which Stop ends. Reset and
// Step allocate nothing once warm.
type Pool struct {
	cfg     Config
	spec    *envs.Spec
	batch   *envs.Batch
	rows    []row
	finals  []int32 // rows reset within the last step, ascending
	waiting int     // rows never reset
	width   int     // action elements of a row
	job     job
	workers workers
	watch   func(row int, e envs.Env)
	mu      sync.Mutex // guards failed while workers run
	failed  error
}

// row is one environment and its place in its stream of episodes.
type row struct {
	env     envs.Env
	out     envs.Frame // the row of the batch
	seed    uint64     // of the stream
	index   int        // of the stream
	next    int        // number of the next episode
	steps   int        // in the present episode
	started bool       // has been reset
	ended   bool       // the episode is over and was not followed by another
	final   bool       // was reset within the present step
}

// job is what the workers do to each row.
type job struct {
	step    bool
	actions envs.Actions
	mask    []uint8 // (rows,) of a reset; nil: all
	seed    uint64
	reseed  bool
	cursor  atomic.Int64
}

// New builds a pool; nothing is reset. It returns what Make returned, or a
// *Failure where Make panicked.
func New(cfg Config) (p *Pool, err error) {
	defer catch(&err)
	if cfg.N < 1 {
		panic("pool: N must be at least 1")
	}
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	p = &Pool{cfg: cfg, rows: make([]row, cfg.N), waiting: cfg.N}
	for i := range p.rows {
		e, err := cfg.Make()
		if err != nil {
			return nil, err
		}
		p.rows[i] = row{env: e, seed: cfg.Seed, index: i}
	}
	p.spec = p.rows[0].env.Spec()
	p.width = len(p.spec.Agents) * p.spec.ActionDims()
	p.batch = envs.NewBatch(p.spec, cfg.N, cfg.Mode == SameStep)
	for i := range p.rows {
		p.rows[i].out = p.batch.Row(i)
	}
	if cfg.Mode == SameStep {
		p.finals = make([]int32, 0, cfg.N)
	}
	p.workers.init(p)
	return p, nil
}

// Len is the number of rows.
func (p *Pool) Len() int { return len(p.rows) }

// Mode is the autoreset mode.
func (p *Pool) Mode() Mode { return p.cfg.Mode }

// Spec is that of every row, wrappers included.
func (p *Pool) Spec() *envs.Spec { return p.spec }

// Batch is the memory that Reset, Step and Restore write. It stays the same.
func (p *Pool) Batch() *envs.Batch { return p.batch }

// FinalRows are the rows whose last frame before a reset within the last step
// is in Batch().Final, ascending. It is overwritten by the next call.
func (p *Pool) FinalRows() []int32 { return p.finals }

// Watch has f called with a row's environment when its episode has ended within
// a step and it is about to be reset in the same one. Workers call it, each for
// rows of its own. A clone of the pool has no watcher.
func (p *Pool) Watch(f func(row int, e envs.Env)) { p.watch = f }

// Env is the environment of a row, to look at: stepping it is the pool's.
func (p *Pool) Env(i int) envs.Env { return p.rows[i].env }

// Episode tells a row's present episode: the session seed and the index its
// stream comes from, the number of the episode (-1 before the first), the steps
// played in it, and whether it is over.
func (p *Pool) Episode(i int) (seed uint64, index, episode, steps int, ended bool) {
	r := &p.rows[i]
	return r.seed, r.index, r.next - 1, r.steps, r.ended
}

// Waiting is the first row that was never reset, or -1.
func (p *Pool) Waiting() int {
	if p.waiting == 0 {
		return -1
	}
	for i := range p.rows {
		if !p.rows[i].started {
			return i
		}
	}
	return -1
}

// Err is the *Failure of a pool in which an environment panicked, else nil.
func (p *Pool) Err() error { return p.failed }

// Reset starts the next episode of each row's stream, or, with a seed, episode
// 0 of a new stream. mask (rows,) limits it to the rows that aren't 0; nil
// means all. A wrong length panics.
func (p *Pool) Reset(mask []uint8, seed *uint64) error {
	if p.failed != nil {
		return p.failed
	}
	if mask != nil && len(mask) != len(p.rows) {
		panic(fmt.Sprintf("pool: mask of %d rows, want %d", len(mask), len(p.rows)))
	}
	p.finals = p.finals[:0]
	p.job.step, p.job.mask, p.job.reseed = false, mask, seed != nil
	if seed != nil {
		p.job.seed = *seed
	}
	p.run()
	p.job.mask = nil
	p.waiting = 0
	for i := range p.rows {
		if !p.rows[i].started {
			p.waiting++
		}
	}
	return p.failed
}

// Step plays one joint action in every row. a holds (rows, agents, dims)
// elements; a wrong length panics. It returns ErrNotReset, and changes nothing,
// while a row waits for its first reset.
func (p *Pool) Step(a envs.Actions) error {
	if p.failed != nil {
		return p.failed
	}
	if i := p.Waiting(); i >= 0 {
		return fmt.Errorf("%w: row %d", ErrNotReset, i)
	}
	if got, want := len(a.Choice)+len(a.Value), len(p.rows)*p.width; got != want {
		panic(fmt.Sprintf("pool: %d action elements, want %d (rows × agents × dims)", got, want))
	}
	p.job.step, p.job.actions = true, a
	p.run()
	p.job.actions = envs.Actions{}
	if p.cfg.Mode == SameStep {
		p.finals = p.finals[:0]
		for i := range p.rows {
			if p.rows[i].final {
				p.finals = append(p.finals, int32(i))
			}
		}
	}
	return p.failed
}

// play does the job to row i.
func (p *Pool) play(i int) {
	r, j := &p.rows[i], &p.job
	if !j.step {
		if j.mask == nil || j.mask[i] != 0 {
			if j.reseed {
				r.seed, r.index, r.next = j.seed, i, 0
			}
			r.reset()
		}
		return
	}
	r.final = false
	if r.ended {
		if p.cfg.Mode != Disabled {
			r.reset()
			return
		}
		clear(r.out.Rewards)
		clear(r.out.Team)
		return
	}
	var a envs.Actions
	w := p.width
	if j.actions.Choice != nil {
		a.Choice = j.actions.Choice[i*w : (i+1)*w]
	} else {
		a.Value = j.actions.Value[i*w : (i+1)*w]
	}
	r.env.Step(a, &r.out)
	r.steps++
	if !r.out.Ended() {
		return
	}
	r.ended = true
	if p.cfg.Mode != SameStep {
		return
	}
	last := p.batch.FinalRow(i)
	last.Copy(&r.out)
	if p.watch != nil {
		p.watch(i, r.env)
	}
	r.reset()
	copy(r.out.Rewards, last.Rewards)
	copy(r.out.Team, last.Team)
	copy(r.out.Info, last.Info)
	copy(r.out.Terminated, last.Terminated)
	copy(r.out.Truncated, last.Truncated)
	r.final = true
}

func (r *row) reset() {
	if r.next == math.MaxInt32 {
		r.next = 0
	}
	r.env.Reset(envs.EpisodeSeed(r.seed, r.index, r.next), &r.out)
	r.next++
	r.steps = 0
	r.started, r.ended, r.final = true, false, false
}

// catch turns a panic into a *Failure outside of rows.
func catch(err *error) {
	if v := recover(); v != nil {
		*err = &Failure{Row: -1, Value: v, Stack: debug.Stack()}
	}
}
