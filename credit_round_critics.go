package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"marlpit/shaping/process"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// roundCriticFlags choose who judges rounds, and how an endpoint is asked.
type roundCriticFlags struct {
	Critics       string   `type:"path" placeholder:"FILE" help:"File of critics (TOML); --critic names one of them."`
	ErrorRate     *float64 `help:"solution: share of proposals judged wrongly (0)."`
	NoiseSeed     *uint64  `help:"solution, random: seed of the simulated answers (0)."`
	Model         string   `placeholder:"NAME" help:"openai: the model's name at the endpoint."`
	endpointFlags `embed:""`
	Budget        budgetFlags `embed:""`
}

// config is the critic of a name, with its settings after a colon.
func (f *roundCriticFlags) config(text string) (study.CriticConfig, error) {
	name, settings, set := strings.Cut(text, ":")
	opt := criticOptions{Critics: f.Critics, ErrorRate: f.ErrorRate, NoiseSeed: f.NoiseSeed, endpointFlags: f.endpointFlags}
	if name == "" && f.BaseURL == "" {
		return study.CriticConfig{}, badCall(fmt.Errorf("--critic is needed: %s, or a name in --critics FILE", strings.Join(study.RoundCriticKinds(), ", ")))
	}
	c, err := opt.config(name, f.Model)
	if err == nil && set {
		if err = c.Set(settings); err != nil {
			err = badCall(err)
		}
	}
	return c, err
}

// roundCritic is a critic of rounds with what asking it takes.
type roundCritic struct {
	process.Critic
	config study.CriticConfig
	budget *votes.Budget
}

// deps are what a critic whose exchanges are kept in a file of scores is given.
func (f *roundCriticFlags) deps(c study.CriticConfig, db *process.DB, stop <-chan struct{}, tell func(string)) (study.CriticDeps, *votes.Budget, error) {
	budget, err := f.Budget.budget(c)
	return study.CriticDeps{Store: db.Recorder(), Meter: budget, Stop: stop, Tell: tell, Offline: f.Offline}, budget, err
}

func (f *roundCriticFlags) build(ctx context.Context, c study.CriticConfig, db *process.DB, stop <-chan struct{}, tell func(string)) (*roundCritic, error) {
	deps, budget, err := f.deps(c, db, stop, tell)
	if err != nil {
		return nil, err
	}
	made, err := c.BuildRounds(deps)
	if err != nil {
		return nil, badCall(err)
	}
	return &roundCritic{made, c, budget}, study.NotePrompts(ctx, db, study.RoundPrompts(c.Kind))
}

// spent is what was spent in a run, as it is printed.
type spent struct {
	Requests int      `json:"requests"`
	Tokens   int      `json:"tokens"`
	Cost     float64  `json:"cost,omitempty"`
	Currency string   `json:"currency,omitempty"`
	Notes    []string `json:"notes,omitempty"` // about the endpoint
}

func (c *roundCritic) spent() spent {
	used := c.budget.Used()
	out := spent{Requests: used.Requests, Tokens: used.Tokens(), Cost: used.Cost, Currency: c.config.Currency}
	if n, ok := c.Critic.(interface{ Notes() []string }); ok {
		out.Notes = n.Notes()
	}
	return out
}

// String is what was spent in words.
func (s spent) String() string {
	text := fmt.Sprintf("%d requests, %d tokens", s.Requests, s.Tokens)
	if s.Cost > 0 {
		text += fmt.Sprintf(", %.4g %s", s.Cost, s.Currency)
	}
	for _, n := range s.Notes {
		text += "\n" + n
	}
	return text
}

// roundProgress shows how far a scoring is, as labelling does.
func (c *roundCritic) progress(stderr io.Writer) (bar *progress, show func(process.Report)) {
	bar = newProgress(stderr)
	bar.what = "rounds"
	bar.spent = func() string { return c.spent().String() }
	return bar, func(r process.Report) {
		bar.show(votes.Report{Wanted: r.Rounds, Before: r.Before, Asked: r.Asked, Invalid: r.Invalid})
	}
}

// readRounds reads a recording.
func readRounds(path string) (_ []*process.Record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badCall(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out, err := process.ReadRecords(f)
	if err != nil {
		return nil, badCall(fmt.Errorf("%s: %w", path, err))
	}
	return out, nil
}

// scoresFile opens the file of scores of a path, or with "" one that cleanup
// throws away.
func scoresFile(ctx context.Context, path string) (db *process.DB, cleanup func() error, err error) {
	if path != "" {
		if db, err = process.Create(ctx, path); err != nil {
			return nil, nil, badCall(err)
		}
		return db, db.Close, nil
	}
	dir, err := os.MkdirTemp("", "marlpit-scores-")
	if err != nil {
		return nil, nil, err
	}
	if db, err = process.Create(ctx, filepath.Join(dir, "scores.db")); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return db, func() error { return errors.Join(db.Close(), os.RemoveAll(dir)) }, nil
}
