package llm

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// ErrConfig is returned when a critic's options are unusable.
var ErrConfig = errors.New("bad options")

// Mode is a way of asking.
type Mode string

// The ways of asking.
const (
	ModeAuto  Mode = "auto"  // FR where the endpoint gives log-probabilities or refuses the model's name any, else Pair
	ModeFR    Mode = "fr"    // yes/no on the transition, both directions
	ModePair  Mode = "pair"  // A or B, both orders
	ModeScore Mode = "score" // a number for each of the two changes A and B, both orders
	ModeAll   Mode = "all"   // a number for each agent of the transition, both directions
)

// Config is what a Critic needs to know. Zero values take the defaults named.
type Config struct {
	Name        string            // tells endpoints with models of one name apart; enters Critic.Name and what replies are kept under; "": neither
	BaseURL     string            // of the endpoint, with or without /v1 and slash
	Model       string            // as the endpoint names it
	Key         string            // API key; never printed, logged or stored
	Ask         Mode              // "": ModeAuto
	Threshold   float64           // |F−R| below it is a tie; 0: 0.1; math.SmallestNonzeroFloat64: none
	Samples     int               // answers sampled each way by F−R without log-probabilities; 0: 5
	MinMass     float64           // least P(yes)+P(no) of a readable first token; 0: 0.01
	MaxTokens   int               // of a written answer; 0: 1024
	Timeout     time.Duration     // of one exchange; 0: 60 s
	Retries     int               // further tries of one exchange; negative: none; 0: 4
	Backoff     time.Duration     // before the first further try, doubled each time; 0: 500 ms
	MaxWait     time.Duration     // longest wait before a further try; 0: 60 s
	MaxReply    int64             // bytes; 0: 4 MiB
	Store       Store             // where replies are kept and looked up; nil: nowhere
	Offline     bool              // never call anybody: answers come from Store alone
	Meter       Meter             // bounds what is spent; nil: nothing is bounded
	Stop        <-chan struct{}   // closed: what waits for its turn gets ErrStopped
	Tell        func(what string) // is told of pauses; from several goroutines; nil: nobody is
	RPM, TPM    int               // requests and tokens a minute at most; 0: any number
	PriceIn     float64           // money per million tokens of prompts
	PriceOut    float64           // and of answers
	Currency    string            // of the prices, for the record
	BreakAfter  int               // failures in a row after which the endpoint is left alone; 0: 10
	BreakPause  time.Duration     // for so long, doubled each time, at most MaxWait; 0: 15 s
	BreakProbes int               // tries after a pause before giving up; 0: 3
	Transport   http.RoundTripper // nil: http.DefaultTransport's settings
	Temperature *float32          // overrides the temperature of every request
}

const defaultMaxTokens = 1024

// KeyFromEnv is the API key of the environment: MARLPIT_API_KEY, else
// OPENAI_API_KEY, else empty.
func KeyFromEnv() string {
	for _, name := range []string{"MARLPIT_API_KEY", "OPENAI_API_KEY"} {
		if key := strings.TrimSpace(os.Getenv(name)); key != "" {
			return key
		}
	}
	return ""
}

// complete checks the options and fills in the defaults.
func (c Config) complete() (Config, error) {
	base, err := BaseURL(c.BaseURL)
	if err != nil && !(c.Offline && c.BaseURL == "") { // without one nobody can be asked; one that is wrong is wrong offline too
		return c, err
	}
	c.BaseURL = base
	if c.Model == "" {
		return c, fmt.Errorf("%w: --model (model) is needed: the model's name at the endpoint", ErrConfig)
	}
	switch c.Ask {
	case "":
		c.Ask = ModeAuto
	case ModeAuto, ModeFR, ModePair, ModeScore, ModeAll:
	default:
		return c, fmt.Errorf("%w: ask is auto, fr, pair, score or all, got %q", ErrConfig, c.Ask)
	}
	if c.RPM < 0 || c.TPM < 0 || c.BreakAfter < 0 || c.BreakProbes < 0 || c.BreakPause < 0 {
		return c, fmt.Errorf("%w: requests and tokens a minute, and the breaker's numbers, are from 0 up", ErrConfig)
	}
	if !(c.PriceIn >= 0 && c.PriceOut >= 0) || math.IsInf(c.PriceIn+c.PriceOut, 0) {
		return c, fmt.Errorf("%w: prices are numbers from 0 up, per million tokens", ErrConfig)
	}
	if c.Threshold < 0 || math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0) {
		return c, fmt.Errorf("%w: the tie threshold is a number from 0 up, got %v", ErrConfig, c.Threshold)
	}
	if c.Samples < 0 || c.MaxTokens < 0 || c.MinMass < 0 || c.MinMass > 1 {
		return c, fmt.Errorf("%w: samples and max tokens are positive, the least mass is from 0 to 1", ErrConfig)
	}
	if t := c.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
		return c, fmt.Errorf("%w: the temperature is a number from 0 to 2, got %v", ErrConfig, *t)
	}
	setDefault(&c.Threshold, 0.1)
	setDefault(&c.Samples, 5)
	setDefault(&c.MinMass, 0.01)
	setDefault(&c.MaxTokens, defaultMaxTokens)
	setDefault(&c.Timeout, 60*time.Second)
	setDefault(&c.Retries, 4)
	setDefault(&c.Backoff, 500*time.Millisecond)
	setDefault(&c.MaxWait, 60*time.Second)
	setDefault(&c.MaxReply, 4<<20)
	setDefault(&c.BreakAfter, 10)
	setDefault(&c.BreakPause, 15*time.Second)
	setDefault(&c.BreakProbes, 3)
	c.Retries = max(c.Retries, 0)
	if c.Threshold == math.SmallestNonzeroFloat64 { // by which a caller says 0
		c.Threshold = 0
	}
	return c, nil
}

func setDefault[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}

// BaseURL brings an endpoint's address into the form go-openai wants: a
// trailing slash and /chat/completions are cut off, and /v1 is added where the
// address has no path. A path that is given stays as it is (/openai/v1,
// /v1beta/openai). It returns an error wrapping ErrConfig for anything but
// http(s)://host[:port][/path].
func BaseURL(raw string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if strings.ContainsAny(raw, "@?#") { // with a key in it, perhaps: not to be repeated
		return "", fmt.Errorf("%w: --base-url (base_url) has no user, query or fragment; the API key comes from MARLPIT_API_KEY", ErrConfig)
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		got := "none"
		if raw != "" {
			got = fmt.Sprintf("%.80q", raw)
		}
		return "", fmt.Errorf("%w: --base-url (base_url) is needed, such as http://127.0.0.1:8080/v1; got %s", ErrConfig, got)
	}
	path := strings.TrimRight(u.Path, "/")
	path = strings.TrimRight(strings.TrimSuffix(path, "/chat/completions"), "/")
	if path == "" {
		path = "/v1"
	}
	return u.Scheme + "://" + u.Host + path, nil
}
