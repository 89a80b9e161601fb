package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"

	"marlpit/shaping/votes"
)

// progress shows how far a labelling is: a bar on a terminal, a line now and
// then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	what     string        // is counted; "": votes
	spent    func() string // what it has taken so far; nil: isn't shown
	mu       sync.Mutex
	start    time.Time
	shown    time.Time
	drawn    bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, start: time.Now(), shown: time.Now()}
	if f, ok := w.(*os.File); ok {
		p.terminal = isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
	}
	return p
}

func (p *progress) show(r votes.Report) {
	interval := 10 * time.Second
	if p.terminal {
		interval = 100 * time.Millisecond
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.shown) < interval {
		return
	}
	p.shown, p.drawn = time.Now(), true
	_, _ = io.WriteString(p.w, p.line(r, time.Since(p.start))) // what can't be shown isn't worth an error
}

// line is the bar, or the line, after so long.
func (p *progress) line(r votes.Report, elapsed time.Duration) string {
	done := r.Before + r.Asked
	what := p.what
	if what == "" {
		what = "votes"
	}
	text := fmt.Sprintf("%d/%d %s", done, r.Wanted, what)
	if rate := float64(r.Asked) / elapsed.Seconds(); rate > 0 {
		left := time.Duration(float64(r.Wanted-done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %.1f/s, %v left", rate, left.Round(time.Second))
	}
	if p.spent != nil {
		if s := p.spent(); s != "" {
			text += ", spent " + s
		}
	}
	if r.Invalid+r.Failed > 0 {
		text += fmt.Sprintf(", %d invalid, %d failed", r.Invalid, r.Failed)
	}
	if !p.terminal {
		return text + "\n"
	}
	const width = 24
	full := done * width / max(r.Wanted, 1)
	return "\r\x1b[K[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] " + text
}

// tell prints a line about something else.
func (p *progress) tell(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		what = "\r\x1b[K" + what
	}
	_, _ = io.WriteString(p.w, what+"\n")
}

func (p *progress) end() {
	if p.terminal && p.drawn {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
}
