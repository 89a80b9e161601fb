package llm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// exchange is what went over the wire in one HTTP request, word by word.
type exchange struct {
	sent       bool
	written    atomic.Bool // to the endpoint, whole
	body       []byte
	reply      []byte
	status     int
	retryAfter time.Duration // what the endpoint asked for; 0: nothing
}

type exchangeKey struct{}

func withExchange(ctx context.Context, e *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, e)
}

// transport stands under go-openai: it records the bytes of both sides, caps
// the reply's size, and undoes the library's dropping of temperature 0.
type transport struct {
	next  http.RoundTripper
	limit int64
}

// go-openai leaves out a temperature of exactly 0, and sends the smallest
// float32 as this text; on the wire it becomes the 0 that was meant.
var (
	tinyTemperature = []byte(`"temperature":1e-45`)
	zeroTemperature = []byte(`"temperature":0`)
)

// RoundTrip sends one request.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	e, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if e == nil {
		e = &exchange{}
	}
	body, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	e.sent, e.body = true, bytes.Replace(body, tinyTemperature, zeroTemperature, 1)
	out := req.Clone(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		WroteRequest: func(w httptrace.WroteRequestInfo) { e.written.Store(w.Err == nil) },
	}))
	out.Body = io.NopCloser(bytes.NewReader(e.body))
	out.ContentLength = int64(len(e.body))
	out.GetBody = nil

	res, err := t.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	e.status = res.StatusCode
	e.retryAfter = parseRetryAfter(res.Header.Get("Retry-After"), time.Now())
	reply, err := io.ReadAll(io.LimitReader(res.Body, t.limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(reply)) > t.limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrReplyTooLarge, t.limit)
	}
	e.reply = reply
	res.Body = io.NopCloser(bytes.NewReader(reply))
	return res, nil
}

// parseRetryAfter reads seconds or an HTTP date; anything else is 0.
func parseRetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if s > 0 && s < 1e6 {
			return time.Duration(s * float64(time.Second))
		}
		if s >= 1e6 {
			return 1e6 * time.Second
		}
		return 0
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
