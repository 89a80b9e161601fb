package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"marlpit/shaping/votes"
)

// progress shows how far a labelling is: a bar on a terminal, a line now and
// then elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	start    time.Time
	shown    time.Time
	drawn    bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, start: time.Now(), shown: time.Now()}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

func (p *progress) show(r votes.Report) {
	interval := 10 * time.Second
	if p.terminal {
		interval = 100 * time.Millisecond
	}
	if time.Since(p.shown) < interval {
		return
	}
	p.shown, p.drawn = time.Now(), true
	done := r.Before + r.Asked
	share := float64(done) / float64(max(r.Wanted, 1))
	rate := float64(r.Asked) / time.Since(p.start).Seconds()
	left := time.Duration(float64(r.Wanted-done)/rate) * time.Second
	text := fmt.Sprintf("%d/%d votes, %.1f/s, %d invalid, %d failed, %v left", done, r.Wanted, rate, r.Invalid, r.Failed, left)
	if p.terminal {
		const width = 24
		full := int(share * width)
		text = "\r\x1b[K[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] " + text
	} else {
		text += "\n"
	}
	_, _ = io.WriteString(p.w, text) // what can't be shown isn't worth an error
}

func (p *progress) end() {
	if p.terminal && p.drawn {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
}
