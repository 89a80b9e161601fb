package study

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/BurntSushi/toml"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/process"
)

// ErrCritic is returned for a critic that can't be made of what is configured.
var ErrCritic = errors.New("bad critic")

// CriticConfig describes a critic by name. A command line and a file of
// critics come to the same: Build. The API key itself is never in it.
type CriticConfig struct {
	Name      string `toml:"-"`         // by which it is chosen; openai's votes and replies are kept under it, unless it is the kind
	Kind      string `toml:"kind"`      // openai, oracle, rule, human, coin or first; of rounds: openai, solution or random
	Viewpoint string `toml:"viewpoint"` // whose words it reads: "guided" (default) or "plain"

	// Of openai.
	BaseURL   string        `toml:"base_url"`
	Model     string        `toml:"model"`
	KeyEnv    string        `toml:"key_env"`    // environment variable with the key; "": MARLPIT_API_KEY, else OPENAI_API_KEY
	Ask       string        `toml:"ask"`        // see llm.Mode
	Threshold float64       `toml:"threshold"`  // |F−R| below it is a tie
	Samples   int           `toml:"samples"`    // answers each way where there are no log-probabilities
	MaxTokens int           `toml:"max_tokens"` // of a written answer
	Timeout   time.Duration `toml:"timeout"`    // of one request
	Retries   int           `toml:"retries"`    // further tries of one request; 0: none
	MaxWait   time.Duration `toml:"max_wait"`   // longest pause that an endpoint may ask for (Retry-After)
	RPM       int           `toml:"rpm"`        // requests a minute; 0: any number
	TPM       int           `toml:"tpm"`        // tokens a minute; 0: any number
	PriceIn   float64       `toml:"price_in"`   // money per million tokens of prompts
	PriceOut  float64       `toml:"price_out"`  // and of answers
	Currency  string        `toml:"currency"`   // of the prices

	// Of oracle and solution; the seed is coin's and random's as well.
	ErrorRate float64 `toml:"error_rate"`
	Noise     string  `toml:"noise"` // iid, per-text or per-family
	NoiseSeed uint64  `toml:"noise_seed"`

	// Of human: votes as CSV (shaping.ReadHuman). In a file of critics, from
	// that file's folder.
	File string `toml:"file"`
}

// kinds lists which settings mean something to a critic of a kind, viewpoint
// aside.
var kinds = map[string][]string{
	"openai": {"base_url", "model", "key_env", "ask", "threshold", "samples", "max_tokens", "timeout", "retries", "max_wait", "rpm", "tpm", "price_in", "price_out", "currency"},
	"oracle": {"error_rate", "noise", "noise_seed"},
	"rule":   nil,
	"human":  {"file"},
	"coin":   {"noise_seed"},
	"first":  nil,

	"solution": {"error_rate", "noise_seed"},
	"random":   {"noise_seed"},
}

// mostSamples bounds what a slip of the keyboard takes of memory: a query's
// requests are all planned at once.
const mostSamples = 1000

var criticName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// NewCriticConfig is a critic with every setting at its default.
func NewCriticConfig(name, kind string) CriticConfig {
	return CriticConfig{Name: name, Kind: kind, Viewpoint: "guided", Ask: string(llm.ModeAuto), Threshold: 0.1,
		Samples: 5, MaxTokens: 1024, Timeout: time.Minute, Retries: 4, MaxWait: time.Minute, Noise: string(shaping.NoiseIID)}
}

// CriticKinds lists the kinds of critics that judge transitions.
func CriticKinds() []string { return []string{"coin", "first", "human", "openai", "oracle", "rule"} }

// RoundCriticKinds lists the kinds of critics that judge rounds.
func RoundCriticKinds() []string { return []string{"openai", "random", "solution"} }

// Check says what is wrong with the values; the error wraps ErrCritic. It opens
// no file and calls nobody.
func (c CriticConfig) Check() error {
	if err := c.check(); err != nil {
		return fmt.Errorf("%w %q: %w", ErrCritic, c.Name, err)
	}
	return nil
}

// check is Check, without saying of whom.
func (c CriticConfig) check() error {
	bad := func(key, format string, args ...any) error {
		return fmt.Errorf("%s: %s", key, fmt.Sprintf(format, args...))
	}
	if _, ok := kinds[c.Kind]; !ok {
		return bad("kind", "it is one of %s, or for rounds one of %s, got %q", strings.Join(CriticKinds(), ", "), strings.Join(RoundCriticKinds(), ", "), c.Kind)
	}
	if c.Viewpoint != "" && c.Viewpoint != "guided" && c.Viewpoint != "plain" {
		return bad("viewpoint", "it is guided or plain, got %q", c.Viewpoint)
	}
	switch c.Kind {
	case "human":
		if c.File == "" {
			return bad("file", "the CSV file of the votes is needed")
		}
	case "solution":
		if _, err := process.NewSolution(c.ErrorRate, c.NoiseSeed); err != nil {
			return bad("error_rate", "%s", strings.TrimPrefix(err.Error(), shaping.ErrOptions.Error()+": "))
		}
	case "oracle":
		if _, err := shaping.NewOracle(c.ErrorRate, shaping.Noise(c.Noise), c.NoiseSeed); err != nil {
			return bad("error_rate, noise", "%s", strings.TrimPrefix(err.Error(), shaping.ErrOptions.Error()+": "))
		}
	case "openai":
		for key, n := range map[string]int{"samples": c.Samples, "max_tokens": c.MaxTokens, "retries": c.Retries, "rpm": c.RPM, "tpm": c.TPM,
			"timeout": int(c.Timeout), "max_wait": int(c.MaxWait)} {
			if n < 0 {
				return bad(key, "it is a number from 0 up, got %d", n)
			}
		}
		if c.Samples > mostSamples {
			return bad("samples", "it is at most %d, got %d", mostSamples, c.Samples)
		}
		for key, text := range map[string]string{"model": c.Model, "currency": c.Currency} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				return bad(key, "it has no control characters, got %.40q", text)
			}
		}
		for key, x := range map[string]float64{"threshold": c.Threshold, "price_in": c.PriceIn, "price_out": c.PriceOut} {
			if !(x >= 0) || math.IsInf(x, 0) {
				return bad(key, "it is a number from 0 up, got %v", x)
			}
		}
		for key, d := range map[string]time.Duration{"timeout": c.Timeout, "max_wait": c.MaxWait} {
			if d > 0 && d < time.Millisecond { // a bare number is one of nanoseconds to the decoder
				return bad(key, "a time with its unit is wanted, such as \"60s\", got %v", d)
			}
		}
		if c.KeyEnv != "" && !variableName.MatchString(c.KeyEnv) { // the key itself, perhaps: not to be repeated
			return bad("key_env", "it is a variable's name, of letters, digits and _; the key itself never stands here")
		}
	}
	return nil
}

// CriticDeps are what a critic is given by whoever asks it.
type CriticDeps struct {
	Store   llm.Store       // where exchanges are kept and looked up; nil: nowhere
	Meter   llm.Meter       // bounds what is spent; nil: nothing does
	Stop    <-chan struct{} // closed: what waits for its turn is not sent any more
	Tell    func(string)    // is told of pauses, from several goroutines; nil: nobody is
	Offline bool            // call nobody; answers come from Store alone
}

// OwnName is the name that a critic of a file was given, "" where it has none
// but its kind. It tells endpoints with models of one name apart.
func (c CriticConfig) OwnName() string {
	if c.Name == c.Kind {
		return ""
	}
	return c.Name
}

// Build makes the critic. It returns an error wrapping ErrCritic, llm.ErrConfig,
// shaping.ErrOptions or shaping.ErrHuman, or that of a file which can't be read.
func (c CriticConfig) Build(deps CriticDeps) (shaping.Critic, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch c.Kind {
	case "oracle":
		return shaping.NewOracle(c.ErrorRate, shaping.Noise(c.Noise), c.NoiseSeed)
	case "rule":
		return shaping.NewRule(), nil
	case "coin":
		return shaping.Coin{Seed: c.NoiseSeed}, nil
	case "first":
		return shaping.AlwaysFirst{}, nil
	case "human":
		return c.human()
	case "solution", "random":
		return nil, fmt.Errorf("%w %q: kind: %s judges rounds of talk, not transitions", ErrCritic, c.Name, c.Kind)
	}
	cfg, err := c.endpoint(deps)
	if err != nil {
		return nil, err
	}
	made, err := llm.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("critic %q: %w", c.Name, err)
	}
	return made, nil
}

// endpoint is what a language model is made of.
func (c CriticConfig) endpoint(deps CriticDeps) (llm.Config, error) {
	key := llm.KeyFromEnv()
	if c.KeyEnv != "" {
		key = strings.TrimSpace(os.Getenv(c.KeyEnv))
		if key == "" && !deps.Offline {
			return llm.Config{}, fmt.Errorf("%w %q: key_env: the environment variable %s is not set", ErrCritic, c.Name, c.KeyEnv)
		}
	}
	cfg := llm.Config{
		Name: c.OwnName(), BaseURL: c.BaseURL, Model: c.Model, Key: key, Ask: llm.Mode(c.Ask), Threshold: c.Threshold, Samples: c.Samples,
		MaxTokens: c.MaxTokens, Timeout: c.Timeout, Retries: c.Retries, MaxWait: c.MaxWait, RPM: c.RPM, TPM: c.TPM, PriceIn: c.PriceIn, PriceOut: c.PriceOut,
		Currency: c.Currency, Store: deps.Store, Meter: deps.Meter, Stop: deps.Stop, Tell: deps.Tell, Offline: deps.Offline,
	}
	// For that package 0 is "take the default"; who says 0 here means it.
	if c.Retries == 0 {
		cfg.Retries = -1
	}
	if c.Threshold == 0 {
		cfg.Threshold = math.SmallestNonzeroFloat64
	}
	return cfg, nil
}

func (c CriticConfig) human() (_ shaping.Critic, err error) {
	f, err := os.Open(c.File)
	if err != nil {
		return nil, fmt.Errorf("%w %q: file: %w", ErrCritic, c.Name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h, err := shaping.ReadHuman(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	return h, nil
}

// LoadCritics reads a file of critics: TOML, a table [critics.NAME] each. The
// result is ordered by name. What can't be used is an error that wraps
// ErrCritic and names file, table and key.
func LoadCritics(path string) ([]CriticConfig, error) {
	bad := func(where, format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s%w", ErrCritic, path, where, fmt.Errorf(format, args...))
	}
	var file struct {
		Critics map[string]toml.Primitive `toml:"critics"`
	}
	meta, err := toml.DecodeFile(path, &file)
	if err != nil {
		return nil, bad("", "%w", tomlError(err))
	}
	var out []CriticConfig
	for name, table := range file.Critics {
		where := "[critics." + name + "]: "
		if !criticName.MatchString(name) {
			return nil, bad(where, "a name is letters, digits, _, . and -, at most 64")
		}
		c := NewCriticConfig(name, "")
		if err := meta.PrimitiveDecode(table, &c); err != nil {
			return nil, bad(where, "%v", tomlError(err))
		}
		if err := c.check(); err != nil {
			return nil, bad(where, "%w", err)
		}
		for _, key := range slices.Concat(slices.Collect(maps.Values(kinds))...) {
			if meta.IsDefined("critics", name, key) && !slices.Contains(kinds[c.Kind], key) {
				return nil, bad(where, "%s means nothing to the kind %q", key, c.Kind)
			}
		}
		if c.NoiseSeed > math.MaxInt64 { // below 0 as it was written: the decoder goes round
			return nil, bad(where, "noise_seed: it is a number from 0 up, got %d", int64(c.NoiseSeed))
		}
		if c.File != "" && !filepath.IsAbs(c.File) {
			c.File = filepath.Join(filepath.Dir(path), c.File)
		}
		out = append(out, c)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0]
		if key[0] != "critics" {
			return nil, bad("", "unknown key %s: tables are called [critics.NAME]", key[0])
		}
		where, hint := "", ""
		if len(key) > 2 {
			where = "[critics." + key[1] + "]: "
		}
		if last := key[len(key)-1]; strings.Contains(last, "key") || strings.Contains(last, "token") {
			hint = "; a key never stands in this file: key_env names the environment variable that holds it"
		}
		return nil, bad(where, "unknown key %s%s", key[len(key)-1], hint)
	}
	if len(out) == 0 {
		return nil, bad("", "it has no table [critics.NAME]")
	}
	slices.SortFunc(out, func(a, b CriticConfig) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// tomlError is what a TOML error says, with its line where it knows one.
func tomlError(err error) error {
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		return fmt.Errorf("line %d: %s", p.Position.Line, p.Message)
	}
	return err
}
