package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// badCall marks an error as the doing of the one who called.
func badCall(err error) error { return fmt.Errorf("%w: %w", errUsage, err) }

// worldFlags name a world and its parameters.
type worldFlags struct {
	Param map[string]string `name:"param" short:"p" mapsep:"none" placeholder:"KEY=VALUE" help:"Parameter of the world; may be repeated. 'marlpit envs' lists them."`
}

// values reads the parameters: true and false, numbers, else text.
func (w worldFlags) values() map[string]any {
	out := make(map[string]any, len(w.Param))
	for k, v := range w.Param {
		if b, err := strconv.ParseBool(v); err == nil && len(v) > 1 {
			out[k] = b
		} else if f, err := strconv.ParseFloat(v, 64); err == nil {
			out[k] = f
		} else {
			out[k] = v
		}
	}
	return out
}

// parentFlag is for a program that starts ours, and may be killed.
type parentFlag struct {
	ExitWithStdin bool `hidden:"" env:"-" help:"Finish what was paid for, if anything, and end when standard input is closed."`
}

// stdin is what ends with the parent; nil: nothing does.
func (f parentFlag) stdin() io.Reader {
	if !f.ExitWithStdin {
		return nil
	}
	return os.Stdin
}

// until does what costs nothing, all of it or nothing, and breaks it off at
// Ctrl-C, at SIGTERM or once the parent is gone.
func (f parentFlag) until(do func(context.Context) error) error {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	if parent := f.stdin(); parent != nil {
		go func() {
			_, _ = io.Copy(io.Discard, parent)
			end()
		}()
	}
	err := do(ctx)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// interruptible returns a channel that is closed at the first Ctrl-C (or
// SIGTERM), and a context that ends at the second. The end of a parent's pipe
// counts as one, where it isn't nil.
func interruptible(stderr io.Writer, parent io.Reader) (ctx context.Context, stop <-chan struct{}, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, soft, over := make(chan os.Signal, 2), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	gone := make(chan struct{})
	if parent != nil {
		signal.Ignore(syscall.SIGPIPE) // nobody reads our outputs any more then: a word to them must not end us
		go func() {
			_, _ = io.Copy(io.Discard, parent)
			close(gone)
		}()
	}
	go func() {
		defer cancel()
		select {
		case <-signals:
		case <-gone:
		case <-over:
			return
		}
		_, _ = fmt.Fprintln(stderr, "\nfinishing what is under way; once more to break off at once")
		close(soft)
		select {
		case <-signals:
		case <-over:
		}
	}()
	return ctx, soft, func() {
		signal.Stop(signals)
		close(over)
	}
}
