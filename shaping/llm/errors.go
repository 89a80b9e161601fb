package llm

import (
	"context"
	"errors"
	"fmt"

	"marlpit/shaping"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrOffline is returned when an offline critic would have to call an
	// endpoint: the reply is not in the store.
	// It says nothing about other questions: it is a shaping.ErrNoVote.
	ErrOffline error = offlineError{}

	// ErrStopped is returned by what was waiting for its turn, and so was not
	// sent, when Config.Stop was closed. It wraps context.Canceled.
	ErrStopped = fmt.Errorf("llm: stopped before it was sent: %w", context.Canceled)

	// ErrReplyTooLarge is returned when a reply exceeds Config.MaxReply.
	ErrReplyTooLarge = errors.New("llm: reply too large")
)

type offlineError struct{}

func (offlineError) Error() string { return "llm: no stored reply, and offline" }

// Is makes it one of the errors after which other questions are worth asking.
func (offlineError) Is(target error) bool { return target == shaping.ErrNoVote }

// Error is an exchange that gave no verdict.
type Error struct {
	Status  int    // HTTP status; 0 where there was no reply
	Message string // what the endpoint said, or what went wrong; the API key is cut out
	Tries   int    // requests made
	fatal   bool
	Err     error // cause, may be nil
}

// Error says what happened and how often it was tried.
func (e *Error) Error() string {
	s := "llm: "
	if e.Status != 0 {
		s += fmt.Sprintf("status %d: ", e.Status)
	}
	s += e.Message
	if e.Tries > 1 {
		s += fmt.Sprintf(" (tried %d times)", e.Tries)
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fatal says whether every other question would fail alike: a wrong key, model
// or address, or an exhausted quota.
func (e *Error) Fatal() bool { return e.fatal }
