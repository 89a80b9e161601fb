package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"marlpit/envs"
	"marlpit/shaping/study"
	"marlpit/shaping/study/bank"
	"marlpit/shaping/votes"
)

// runBench judges critics on the critic bench, in both viewpoints unless one
// is named.
func (c *judgeCmd) runBench(ctx context.Context, stop <-chan struct{}, registry envs.Registry, critics []study.CriticConfig, stdout, stderr io.Writer) (err error) {
	b, err := bank.Public()
	if err == nil && c.Seed != nil {
		b, err = bank.Draw(ctx, registry, *c.Seed, b)
	}
	if err != nil {
		return err
	}
	db, cleanup, err := c.benchFile(ctx, b)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cleanup()) }()
	var out []bank.Result
	for _, config := range critics {
		var r bank.Result
		if r, err = c.benchCritic(ctx, stop, db, b, config, stderr); err != nil {
			break
		}
		out = append(out, r)
	}
	if printErr := c.printBench(stdout, out); err != nil || printErr != nil || c.Out == "" {
		return errors.Join(err, printErr)
	}
	return out[0].Save(c.Out)
}

// benchFile opens or makes the file of --db, or one that is thrown away.
func (c *judgeCmd) benchFile(ctx context.Context, b *bank.Bank) (*votes.DB, func() error, error) {
	if c.DB == "" {
		return scratch(ctx, func(db *votes.DB) error { return b.Fill(ctx, db) })
	}
	db, err := votes.Create(ctx, c.DB)
	if err != nil {
		return nil, nil, badCall(err)
	}
	if err := b.Fill(ctx, db); err != nil {
		return nil, nil, badCall(errors.Join(err, db.Close()))
	}
	return db, db.Close, nil
}

// benchCritic asks one critic. A run that was stopped is an error, for half a
// bank is no result.
func (c *judgeCmd) benchCritic(ctx context.Context, stop <-chan struct{}, db *votes.DB, b *bank.Bank, config study.CriticConfig, stderr io.Writer) (r bank.Result, err error) {
	critic, err := c.build(config, c.Budget, db, stop)
	if err != nil {
		return r, err
	}
	if err := critic.compare(ctx, db, stderr); err != nil {
		return r, err
	}
	r = bank.Result{Name: cmp.Or(c.Name, config.Model, config.Name), Kind: config.Kind, Bench: b.Name(), Seed: b.Seed, SHA256: b.SHA256, Note: c.Note, Program: version}
	switch config.Kind {
	case "oracle", "coin", "first":
		r.Kind = "simulated"
	}
	if r.Prompts, err = bank.Prompts(critic.Name()); err != nil {
		return r, err
	}
	for i, part := range []**bank.Part{&r.Guided, &r.Plain} {
		view := []string{"guided", "plain"}[i]
		if c.Viewpoint != "" && c.Viewpoint != view {
			continue
		}
		j, err := c.ask(ctx, stop, db, critic, b.Options(view), stderr)
		if err != nil {
			return r, err
		}
		if j.Stopped != "" {
			return r, fmt.Errorf("%s: %s after %d questions; with --db FILE the same call goes on", j.Judged, j.Stopped, j.Asked)
		}
		*part = b.NewPart(j)
	}
	return r, nil
}

// printBench writes results: as JSON one object, or {"critics": […]} for several.
func (c *judgeCmd) printBench(out io.Writer, results []bank.Result) error {
	switch {
	case len(results) == 0:
		return nil
	case c.JSON && len(results) == 1:
		return printJSON(out, results[0])
	case c.JSON:
		return printJSON(out, map[string]any{"critics": results})
	}
	for i, r := range results {
		if i == 0 {
			_, _ = fmt.Fprintf(out, "critic bench %s, bank %.12s\n", r.Bench, r.SHA256) // what follows reports
		}
		for _, p := range []*bank.Part{r.Guided, r.Plain} {
			if p == nil {
				continue
			}
			if err := printJudgement(out, p.Judged, p.Judgement, slices.Concat(p.Worlds, p.Clothes)); err != nil {
				return err
			}
		}
	}
	return nil
}
