package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"marlpit/shaping"
	"marlpit/shaping/llm"
	"marlpit/shaping/votes"
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

// criticFlags choose who is asked, and how.
type criticFlags struct {
	Critic    string        `help:"Who is asked: openai (any OpenAI-compatible endpoint), oracle (simulated: knows the exact credit, errs at --error-rate), coin, first." enum:"openai,oracle,coin,first," default:""`
	ErrorRate float64       `help:"oracle: share of wrong answers." default:"0"`
	Noise     string        `help:"oracle: what mistakes depend on. iid: every query on its own; per-text: equal words, equal mistakes." enum:"iid,per-text" default:"iid"`
	NoiseSeed uint64        `help:"oracle, coin: seed of the simulated answers." default:"0"`
	BaseURL   string        `name:"base-url" help:"openai: address of the endpoint, with or without /v1. The API key comes from MARLPIT_API_KEY, else OPENAI_API_KEY." env:"MARLPIT_BASE_URL"`
	Ask       string        `help:"openai: fr asks yes/no on the transition forwards and backwards, pair shows both as A and B in both orders, auto takes fr where the endpoint gives log-probabilities." enum:"auto,fr,pair" default:"auto"`
	Viewpoint string        `help:"Whose words are read. guided names the agent's sub-goal, plain gives facts and rules only." enum:"guided,plain" default:"guided"`
	Threshold float64       `help:"openai, fr: |F-R| below it is a tie." default:"0.1"`
	Samples   int           `help:"openai, fr: answers sampled each way where there are no log-probabilities." default:"5"`
	MaxTokens int           `help:"openai: longest written answer." default:"1024"`
	Timeout   time.Duration `help:"openai: of one request." default:"60s"`
	Retries   int           `help:"openai: further tries after 429, 5xx, time-outs and lost connections; -1: none." default:"4"`
	Offline   bool          `help:"openai: call nobody; answer from the replies stored in the file."`
}

// build makes the critic; model names the endpoint's model.
func (f criticFlags) build(model string, db *votes.DB, budget *votes.Budget) (shaping.Critic, error) {
	switch f.Critic {
	case "oracle":
		c, err := shaping.NewOracle(f.ErrorRate, shaping.Noise(f.Noise), f.NoiseSeed)
		if err != nil {
			return nil, badCall(err)
		}
		return c, nil
	case "coin":
		return shaping.Coin{Seed: f.NoiseSeed}, nil
	case "first":
		return shaping.AlwaysFirst{}, nil
	case "openai":
	default:
		return nil, badCall(errors.New("--critic is needed: openai, oracle, coin or first"))
	}
	cfg := llm.Config{
		BaseURL: f.BaseURL, Model: model, Key: llm.KeyFromEnv(), Ask: llm.Mode(f.Ask), Threshold: f.Threshold,
		Samples: f.Samples, MaxTokens: f.MaxTokens, Timeout: f.Timeout, Retries: f.Retries, Offline: f.Offline,
		Store: db.Recorder(),
	}
	// For the library 0 is "take the default"; who says 0 here means it.
	if f.Retries == 0 {
		cfg.Retries = -1
	}
	if f.Threshold == 0 {
		cfg.Threshold = math.SmallestNonzeroFloat64
	}
	if budget != nil {
		cfg.Meter = budget
	}
	c, err := llm.New(cfg)
	if err != nil {
		return nil, badCall(err)
	}
	return c, nil
}

// notePrompts writes down the templates a language model is asked with.
func (f criticFlags) notePrompts(ctx context.Context, db *votes.DB) error {
	if f.Critic != "openai" {
		return nil
	}
	var prompts []votes.Prompt
	for _, p := range llm.Prompts() {
		prompts = append(prompts, votes.Prompt{Hash: p.Hash, Name: p.Name, Text: p.Text})
	}
	return db.AddPrompts(ctx, prompts...)
}

// interruptible returns a channel that is closed at the first Ctrl-C (or
// SIGTERM), and a context that ends at the second.
func interruptible(stderr io.Writer) (ctx context.Context, stop <-chan struct{}, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, soft, over := make(chan os.Signal, 2), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer cancel()
		select {
		case <-signals:
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
