package llm

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// outcome says how one HTTP request ended.
type outcome struct {
	err        error // nil: there is a reply
	sent       bool  // the request left this process
	written    bool  // and reached the endpoint whole
	status     int
	retryAfter time.Duration
	again      bool // worth another try
	adapted    bool // a parameter was left out: ask again at once
	fatal      bool // every other question would fail alike
}

// classify judges a request that gave no 200.
func (c *client) classify(out *outcome, request openai.ChatCompletionRequest) {
	message := strings.ToLower(out.err.Error())
	switch {
	case !out.sent:
		// Refused by the budget, by the library's own checks, or by the address.
		out.adapted = c.adaptLibrary(out.err, request)
		out.fatal = !out.adapted
	case errors.Is(out.err, ErrReplyTooLarge):
	case out.status == 0 || out.status == http.StatusOK:
		out.again = true // refused, reset, cut off or timed out
		if errors.Is(out.err, context.DeadlineExceeded) {
			out.err = timeoutError{c.cfg.Timeout}
		}
	case out.status >= 300 && out.status < 400:
		out.err = errors.New("the endpoint redirects elsewhere: give its final address")
		out.fatal = true
	case out.status == http.StatusTooManyRequests && strings.Contains(message, "insufficient_quota"):
		out.fatal = true
	case out.status == http.StatusRequestTimeout, out.status == http.StatusTooEarly,
		out.status == http.StatusTooManyRequests, out.status >= 500:
		out.again = true
	case out.status == http.StatusBadRequest || out.status == http.StatusUnprocessableEntity:
		out.adapted = c.adapt(message, request)
	case out.status == http.StatusUnauthorized, out.status == http.StatusForbidden,
		out.status == http.StatusNotFound, out.status == http.StatusPaymentRequired:
		out.fatal = true
	}
}

// billed says whether an exchange that gave no reply may have been paid for: it
// broke off while the model was at work, or what came can't be read.
func (o outcome) billed() bool {
	var refusal *bodyError
	return o.err != nil && o.written && (o.status == 0 || o.status == http.StatusOK) && !errors.As(o.err, &refusal)
}

// classifyBody judges a 200 that holds no reply.
func (c *client) classifyBody(out *outcome) {
	var e *bodyError
	out.again = true
	if errors.As(out.err, &e) {
		status := e.code
		out.again = status == 0 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
		out.fatal = status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound
	}
}

type timeoutError struct{ after time.Duration }

func (e timeoutError) Error() string { return "no reply within " + e.after.String() }
func (timeoutError) Unwrap() error   { return context.DeadlineExceeded }

func isTimeout(err error) bool {
	var t timeoutError
	return errors.As(err, &t)
}
