package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marlpit/shaping"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// criticFlags choose who is asked, and how.
type criticFlags struct {
	Critic        string `placeholder:"NAME" help:"Who is asked: one of --critics, or openai (any OpenAI-compatible endpoint; so with --base-url alone), oracle (simulated: knows the exact credit, errs at --error-rate), rule (compares the words' numbers), human (votes collected elsewhere), coin, first."`
	criticOptions `embed:""`
}

// criticOptions say how a critic is asked. They come to a study.CriticConfig, as
// a table of a file of critics does; a flag that is given goes before the file
// (address and model aside), the file before the defaults.
type criticOptions struct {
	Critics       string   `type:"path" placeholder:"FILE" help:"File of critics (TOML); --critic names one of them."`
	ErrorRate     *float64 `help:"oracle, solution: share of wrong answers (0)."`
	Noise         string   `help:"oracle: what mistakes depend on. iid (default): every query on its own; per-text: equal words, equal mistakes; per-family: some kinds of situations are misread more often." enum:"iid,per-text,per-family," default:""`
	NoiseSeed     *uint64  `help:"oracle, coin, solution, random: seed of the simulated answers (0)."`
	Human         string   `name:"human-votes" type:"path" placeholder:"FILE" help:"human: CSV with the columns question or text, query, vote."`
	Ask           string   `help:"openai: fr asks yes/no on the transition forwards and backwards, pair shows both as A and B in both orders, score has both scored, all has every agent of a transition scored in one prompt, auto (default) takes fr where the endpoint gives log-probabilities, else pair." enum:"auto,fr,pair,score,all," default:""`
	Viewpoint     string   `help:"Whose words are read. guided (default) names the agent's sub-goal, plain gives facts and rules only." enum:"guided,plain," default:""`
	Threshold     *float64 `help:"openai, fr: |F-R| below it is a tie (0.1)."`
	Samples       int      `help:"openai, fr: answers sampled each way where there are no log-probabilities (5)."`
	endpointFlags `embed:""`
	Silent        bool `kong:"-"` // nobody will be asked: no key is needed
}

// endpointFlags say where an OpenAI-compatible endpoint is, and how it is asked.
type endpointFlags struct {
	BaseURL   string        `name:"base-url" help:"openai: address of the endpoint, with or without /v1." env:"MARLPIT_BASE_URL"`
	KeyEnv    string        `help:"openai: environment variable that holds the API key. By default MARLPIT_API_KEY, else OPENAI_API_KEY."`
	MaxTokens int           `help:"openai: longest written answer (1024)."`
	Timeout   time.Duration `help:"openai: of one request (60s)."`
	Retries   *int          `help:"openai: further tries after 429, 5xx, time-outs and lost connections (4)."`
	MaxWait   time.Duration `help:"openai: longest pause that the endpoint may ask for by Retry-After (60s)."`
	RPM       *int          `name:"rpm" help:"openai: requests a minute at most; 0 (default): any number."`
	TPM       *int          `name:"tpm" help:"openai: tokens a minute at most; 0 (default): any number."`
	PriceIn   *float64      `help:"openai: money per million tokens of prompts (0)."`
	PriceOut  *float64      `help:"openai: money per million tokens of answers (0)."`
	Currency  string        `help:"openai: of the prices, for the record."`
	Offline   bool          `help:"openai: call nobody; answer from the replies stored in the file."`
}

// config is the critic of a name that the flags describe; model names the
// endpoint's. Without a name, an address means openai.
func (f *criticOptions) config(name, model string) (study.CriticConfig, error) {
	if name == "" && f.BaseURL != "" {
		name = "openai"
	}
	if name == "" {
		return study.CriticConfig{}, badCall(fmt.Errorf("--critic is needed: %s, or a name in --critics FILE", strings.Join(study.CriticKinds(), ", ")))
	}
	c := study.NewCriticConfig(name, name)
	if f.Critics != "" {
		all, err := study.LoadCritics(f.Critics)
		if err != nil {
			return c, badCall(err)
		}
		i := slices.IndexFunc(all, func(c study.CriticConfig) bool { return c.Name == name })
		switch {
		case i >= 0:
			c = all[i]
		case !isKind(name):
			var names []string
			for _, c := range all {
				names = append(names, c.Name)
			}
			return c, badCall(fmt.Errorf("--critic %s is none of %s: %s", name, f.Critics, strings.Join(names, ", ")))
		}
	} else if !isKind(name) {
		return c, badCall(fmt.Errorf("--critic %s is none of %s; other names need --critics FILE", name, strings.Join(study.CriticKinds(), ", ")))
	}
	set(&c.Noise, f.Noise)
	set(&c.File, f.Human)
	if c.BaseURL == "" { // else an address in the environment would redirect the file's critics
		set(&c.BaseURL, f.BaseURL)
		set(&c.Model, model)
	}
	set(&c.KeyEnv, f.KeyEnv)
	set(&c.Ask, f.Ask)
	set(&c.Viewpoint, f.Viewpoint)
	set(&c.Currency, f.Currency)
	set(&c.Samples, f.Samples)
	set(&c.MaxTokens, f.MaxTokens)
	set(&c.Timeout, f.Timeout)
	set(&c.MaxWait, f.MaxWait)
	given(&c.ErrorRate, f.ErrorRate)
	given(&c.NoiseSeed, f.NoiseSeed)
	given(&c.Threshold, f.Threshold)
	given(&c.Retries, f.Retries)
	given(&c.RPM, f.RPM)
	given(&c.TPM, f.TPM)
	given(&c.PriceIn, f.PriceIn)
	given(&c.PriceOut, f.PriceOut)
	return c, nil
}

// isKind says whether a critic can be named by its kind alone.
func isKind(name string) bool {
	return slices.Contains(study.CriticKinds(), name) || slices.Contains(study.RoundCriticKinds(), name)
}

// set takes a value that isn't zero, given one that is there.
func set[T comparable](into *T, value T) {
	var zero T
	if value != zero {
		*into = value
	}
}

func given[T any](into *T, value *T) {
	if value != nil {
		*into = *value
	}
}

// asked is a critic with what asking it takes.
type asked struct {
	shaping.Critic
	config  study.CriticConfig
	offline bool // nobody is called
	budget  *votes.Budget
	tell    func(string) // of pauses; nil: nobody is told
	others  string       // says that the file has replies from other addresses, too; "": it has none
}

// build makes the critic, and fills in the viewpoint; see criticOptions.build.
func (f *criticFlags) build(model string, b budgetFlags, db *votes.DB, stop <-chan struct{}) (*asked, error) {
	c, err := f.config(f.Critic, model)
	if err != nil {
		return nil, err
	}
	f.Viewpoint = c.Viewpoint
	return f.criticOptions.build(c, b, db, stop)
}

// build makes a critic. Exchanges are kept in db; what waits for its turn when
// stop is closed is not sent any more.
func (f *criticOptions) build(c study.CriticConfig, b budgetFlags, db *votes.DB, stop <-chan struct{}) (out *asked, err error) {
	out = &asked{config: c, offline: f.Offline}
	if out.budget, err = b.budget(c); err != nil {
		return nil, err
	}
	out.Critic, err = c.Build(study.CriticDeps{Store: db.Recorder(), Meter: out.budget, Stop: stop, Offline: f.Offline || f.Silent,
		Tell: func(what string) {
			if out.tell != nil {
				out.tell(what)
			}
		}})
	if err != nil {
		return nil, badCall(err)
	}
	return out, nil
}

// budgetFlags bound what is spent.
type budgetFlags struct {
	Requests int     `name:"budget-requests" help:"Requests to send at most; 0: any number." default:"0"`
	Tokens   int     `name:"budget-tokens" help:"Tokens to take at most, of prompts and answers; 0: any number." default:"0"`
	Cost     float64 `name:"budget-cost" help:"Money to spend at most, by the critic's prices; 0: any amount." default:"0"`
}

// budget makes the budget of a critic.
func (f budgetFlags) budget(c study.CriticConfig) (*votes.Budget, error) {
	switch {
	case f.Requests < 0 || f.Tokens < 0 || !(f.Cost >= 0):
		return nil, badCall(errors.New("--budget-requests, --budget-tokens and --budget-cost are at least 0"))
	case f.Cost > 0 && c.PriceIn == 0 && c.PriceOut == 0:
		return nil, badCall(errors.New("--budget-cost needs the critic's prices: --price-in and --price-out, or price_in and price_out in the file of critics"))
	}
	return votes.NewBudget(votes.Limits{Requests: f.Requests, Tokens: f.Tokens, Cost: f.Cost}), nil
}
