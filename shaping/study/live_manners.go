package study

import (
	"context"
	"sync"
	"time"
)

// manners keep work in the background from being felt by games: while they are
// busy it goes one short stretch at a time, each followed by a rest, so that it
// takes a small share of the time in all. While they aren't, it may take all.
type manners struct {
	busy  func() bool
	share float64
	turn  sync.Mutex // of who rests: the others wait, so that one works at a time
}

// stretch is the most that counts as worked between two rests, and nap how
// long a rest goes on before it is looked whether games are still busy.
const (
	stretch = 250 * time.Microsecond
	nap     = 5 * time.Millisecond
)

// rest is called after work that took so long.
func (m *manners) rest(worked time.Duration) {
	if !m.busy() {
		return
	}
	m.turn.Lock()
	defer m.turn.Unlock()
	end := time.Now().Add(time.Duration(float64(worked) * (1/m.share - 1)))
	for m.busy() {
		left := time.Until(end)
		if left <= 0 {
			return
		}
		time.Sleep(min(left, nap))
	}
}

// polite is a context for such work: whoever asks it whether to go on, as Fit
// does at every batch, is made to rest.
type polite struct {
	context.Context
	manners *manners

	mu    sync.Mutex
	since time.Time // of the last rest's end
}

func (m *manners) polite(ctx context.Context) context.Context {
	return &polite{Context: ctx, manners: m, since: time.Now()}
}

// Err rests, then tells the context's error.
func (p *polite) Err() error {
	p.mu.Lock()
	worked := min(time.Since(p.since), stretch)
	p.mu.Unlock()
	p.manners.rest(worked)
	p.mu.Lock()
	p.since = time.Now()
	p.mu.Unlock()
	return p.Context.Err()
}
