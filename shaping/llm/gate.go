package llm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// gate is what every request of a client passes: rate limits, a pause that an
// endpoint asked for, and a circuit breaker. The breaker opens after
// Config.BreakAfter failures in a row: nothing is sent for Config.BreakPause,
// then one request tries (half-open). Where it fails, the pause doubles; after
// Config.BreakProbes such tries everybody is told that the endpoint is down. Of
// one that was never reached that is said at once: its address is wrong.
type gate struct {
	cfg      Config
	requests *rate.Limiter
	tokens   *rate.Limiter

	mu       sync.Mutex
	until    time.Time // nothing is sent before
	failures int       // in a row
	probes   int       // tries of the open breaker that failed
	probing  bool      // one is under way
	reached  bool      // there was a reply of some kind
	last     string    // what the last failure was
	told     time.Time // of a pause that an endpoint asked for
	changed  chan struct{}
	credit   int // tokens that were expected and not used
}

// tellEvery is the least time between two words about short pauses.
const tellEvery = 30 * time.Second

// pass is the right to send one request.
type pass struct{ probe bool }

func newGate(cfg Config) *gate {
	g := &gate{cfg: cfg, changed: make(chan struct{}),
		requests: rate.NewLimiter(rate.Inf, 1), tokens: rate.NewLimiter(rate.Inf, 1)}
	if n := cfg.RPM; n > 0 {
		g.requests = rate.NewLimiter(rate.Limit(n)/60, 1) // evenly: an endpoint may count by the second
	}
	if n := cfg.TPM; n > 0 {
		g.tokens = rate.NewLimiter(rate.Limit(n)/60, max(n/10, 1))
	}
	return g
}

// enter waits until a request of so many tokens may be sent.
func (g *gate) enter(ctx context.Context, tokens int) (pass, error) {
	p, err := g.await(ctx)
	if err != nil {
		return p, err
	}
	g.mu.Lock()
	used := min(g.credit, tokens)
	g.credit -= used
	g.mu.Unlock()
	if err := g.sleep(ctx, max(reserve(g.requests, 1), reserve(g.tokens, tokens-used))); err != nil || p.probe {
		return p, err
	}
	return g.await(ctx) // a pause may have begun meanwhile
}

// await waits for pauses and the breaker.
func (g *gate) await(ctx context.Context) (pass, error) {
	for {
		g.mu.Lock()
		wait := time.Until(g.until)
		open := g.failures >= g.cfg.BreakAfter
		switch {
		case open && g.probes > g.cfg.BreakProbes && wait > 0:
			defer g.mu.Unlock()
			return pass{}, &Error{Message: fmt.Sprintf("the endpoint is down: %d failures in a row, the last: %s",
				g.failures, g.last), fatal: true}
		case wait <= 0 && !open:
			g.mu.Unlock()
			return pass{}, nil
		case wait <= 0 && !g.probing:
			g.probing = true
			g.mu.Unlock()
			return pass{probe: true}, nil
		case wait <= 0:
			wait = time.Hour // until the probe is back
		}
		changed := g.changed
		g.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return pass{}, ctx.Err()
		case <-g.cfg.Stop:
			timer.Stop()
			return pass{}, ErrStopped
		case <-timer.C:
		case <-changed:
			timer.Stop()
		}
	}
}

// leave takes in how the request of a pass ended.
func (g *gate) leave(p pass, out outcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.probe {
		g.probing = false
	}
	defer g.wake()
	if out.again && out.retryAfter > 0 && out.retryAfter <= g.cfg.MaxWait {
		// All hold back, and don't come back in the same moment.
		why := "" // an endpoint at its limit asks for one short pause after the other
		if time.Since(g.told) >= tellEvery || out.retryAfter >= tellEvery {
			why = "the endpoint asks to wait:"
		}
		if g.hold(out.retryAfter+time.Duration(rand.Int64N(int64(out.retryAfter/20+1))), why) {
			g.told = time.Now()
		}
	}
	g.reached = g.reached || out.status != 0
	alive := out.err == nil || out.status != 0 && !out.again || out.status == http.StatusTooManyRequests
	switch {
	case alive:
		g.failures, g.probes = 0, 0
	case !out.sent || !out.again:
	case p.probe, g.failures+1 == g.cfg.BreakAfter:
		g.failures = max(g.failures+1, g.cfg.BreakAfter)
		g.last = withStatus(out.status, out.err.Error())
		if g.probes++; !g.reached {
			g.probes = g.cfg.BreakProbes + 1
		}
		why := ""
		if g.probes <= g.cfg.BreakProbes { // else all are told by an error
			why = fmt.Sprintf("%d failures in a row, the last: %s;", g.failures, g.last)
		}
		g.hold(min(g.cfg.BreakPause<<(g.probes-1), g.cfg.MaxWait), why)
	case g.failures < g.cfg.BreakAfter:
		g.failures++
	}
}

// hold lets nothing pass for a while, and tells why, if anything and unless
// everybody is held already.
func (g *gate) hold(d time.Duration, why string) (told bool) {
	until := time.Now().Add(d)
	if !until.After(g.until) {
		return false
	}
	if g.cfg.Tell != nil && why != "" && time.Until(g.until) <= 0 {
		g.cfg.Tell(fmt.Sprintf("%s nothing is sent for %v", why, d.Round(100*time.Millisecond)))
		told = true
	}
	g.until = until
	return told
}

// wake lets all that wait look again.
func (g *gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// correct settles the difference of expected and used tokens.
func (g *gate) correct(expected, used int) {
	if g.cfg.TPM == 0 {
		return
	}
	if over := used - expected; over > 0 {
		reserve(g.tokens, over)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.credit = min(g.credit+expected-used, g.cfg.TPM)
}

// sleep waits, unless ctx ends or all is stopped.
func (g *gate) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-g.cfg.Stop:
		return ErrStopped
	case <-timer.C:
		return nil
	}
}

// reserve takes n from a limiter, in portions it can hold, and says how long
// to wait for them.
func reserve(l *rate.Limiter, n int) (wait time.Duration) {
	for n > 0 {
		part := n
		if l.Limit() != rate.Inf {
			part = min(n, l.Burst())
		}
		wait = l.ReserveN(time.Now(), part).Delay()
		n -= part
	}
	return wait
}
