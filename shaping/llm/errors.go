package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

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
	s := "llm: " + withStatus(e.Status, e.Message)
	if e.Tries > 1 {
		s += fmt.Sprintf(" (tried %d times)", e.Tries)
	}
	return s
}

func withStatus(status int, message string) string {
	if status == 0 {
		return message
	}
	return fmt.Sprintf("status %d: %s", status, message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fatal says whether every other question would fail alike: a wrong key, model
// or address, or an exhausted quota.
func (e *Error) Fatal() bool { return e.fatal }

// told is an error in words fit for a terminal and a log: without the API key,
// without control characters, and of bounded length.
type told struct {
	words string
	err   error
}

func (e told) Error() string { return e.words }
func (e told) Unwrap() error { return e.err }

// said is what an error says, without the status, which is told beside it.
func said(err error) string {
	words := err.Error()
	if e, ok := errors.AsType[*openai.RequestError](err); ok {
		words = string(e.Body)
	} else if e, ok := errors.AsType[*openai.APIError](err); ok {
		words = e.Message
	}
	if strings.TrimSpace(words) == "" {
		return "no reason is given"
	}
	return words
}

const longestMessage = 500 // bytes

// tell brings what an endpoint said, or what went wrong, into such words.
func (c *client) tell(err error) error {
	words := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, c.redact(said(err)))
	if len(words) > longestMessage {
		words = strings.ToValidUTF8(words[:longestMessage], "") + "…"
	}
	return told{words, err}
}
