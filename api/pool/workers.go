package pool

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Waking a goroutine and waiting for it costs some 10 µs on a small machine
// (BenchmarkSpread), so rows are walked by the caller until a call was seen to take
// longer than spreadAbove, and again once the work, summed over workers, is
// less than gatherBelow. Only time depends on it, never a result.
const (
	spreadAbove = 60 * time.Microsecond
	gatherBelow = 30 * time.Microsecond
)

// workers are the goroutines of a pool. They start with the first call that is
// spread, once; the caller of Step works along.
type workers struct {
	most    int // goroutines beside the caller
	chunk   int // rows taken at a time
	spread  bool
	wake    []chan struct{}
	done    sync.WaitGroup
	exited  sync.WaitGroup
	stopped atomic.Bool
}

func (w *workers) init(p *Pool) {
	n := len(p.rows)
	w.most = min(p.cfg.Workers, n) - 1
	w.chunk = max(1, n/(8*(w.most+1)))
	if p.cfg.Waits {
		w.chunk = 1
	}
}

// run does the job to all rows.
func (p *Pool) run() {
	w := &p.workers
	start := time.Now()
	p.job.cursor.Store(0)
	if w.most == 0 || !w.spread && !(p.cfg.Waits && p.job.step) {
		p.walk()
		w.spread = w.most > 0 && time.Since(start) > spreadAbove
		return
	}
	if w.wake == nil {
		p.start()
	}
	w.done.Add(len(w.wake))
	for _, c := range w.wake {
		c <- struct{}{}
	}
	p.walk()
	w.done.Wait()
	w.spread = time.Since(start)*time.Duration(w.most+1) > gatherBelow
}

func (p *Pool) start() {
	w := &p.workers
	if w.stopped.Load() {
		panic("pool: used after Stop")
	}
	w.wake = make([]chan struct{}, w.most)
	for i := range w.wake {
		c := make(chan struct{}, 1)
		w.wake[i] = c
		w.exited.Add(1)
		go func() {
			defer w.exited.Done()
			for range c {
				p.walk()
				w.done.Done()
			}
		}()
	}
}

// walk takes chunks of rows until there are none left. A panic of an
// environment fails the pool and leaves the other rows undone.
func (p *Pool) walk() {
	i := -1
	defer func() {
		if v := recover(); v != nil {
			p.mu.Lock()
			if p.failed == nil {
				p.failed = &Failure{Row: i, Value: v, Stack: debug.Stack()}
			}
			p.mu.Unlock()
			p.job.cursor.Store(int64(len(p.rows)))
		}
	}()
	chunk := p.workers.chunk
	for {
		hi := int(p.job.cursor.Add(int64(chunk)))
		for i = hi - chunk; i < min(hi, len(p.rows)); i++ {
			p.play(i)
		}
		if hi >= len(p.rows) {
			return
		}
	}
}

// Stop ends the workers and waits for them. The pool can't be used afterwards;
// a second Stop does nothing.
func (p *Pool) Stop() {
	w := &p.workers
	if w.stopped.Swap(true) {
		return
	}
	for _, c := range w.wake {
		close(c)
	}
	w.exited.Wait()
}
