package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// judgeCmd is `marlpit judge`.
type judgeCmd struct {
	Env         string      `help:"World to judge in; not needed with --db."`
	World       worldFlags  `embed:""`
	Critic      criticFlags `embed:""`
	Model       string      `placeholder:"NAME|FILE" env:"-" help:"With --critic openai the model's name at the endpoint (else MARLPIT_MODEL); without a critic, the file of a fitted model to judge."`
	DB          string      `name:"db" type:"path" placeholder:"FILE" help:"Judge on this file's transitions, and keep the votes there. Without it, transitions are collected afresh and thrown away."`
	Bench       string      `help:"Transitions everybody judges on: v1 is 200 transitions of seed 1; custom takes --transitions and --seed." enum:"v1,custom" default:"v1"`
	Transitions int         `help:"With --bench custom: transitions to judge on." default:"200"`
	Seed        uint64      `help:"With --bench custom: seed of the collection." default:"1"`
	Queries     int         `help:"Votes of each transition and agent." default:"1"`
	Shared      bool        `help:"Judge questions about the team as a whole."`
	Concurrency int         `help:"Questions under way at once." default:"4"`
	Budget      budgetFlags `embed:""`
	JSON        bool        `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (judgeCmd) Help() string {
	return `Tells how often a critic, or a fitted model, agrees with the exact credit of each
agent's moves, with 95 % intervals (Wilson), before anybody trains on it. Ties,
contradictions and preferences where there is nothing to prefer are counted
apart. "reversed" is worse than a coin, "blind" can't be told from one.

  marlpit judge --env two-switch-v1 --critic openai --base-url URL --model NAME --viewpoint plain
  marlpit judge --env two-switch-v1 --model two-switch.credit`
}

// judged is what is printed.
type judged struct {
	Env       string         `json:"env"`
	Params    map[string]any `json:"params"`
	Judged    string         `json:"judged"` // annotator, or the model's file
	Bench     string         `json:"bench"`  // "v1", "custom" or the vote file
	Scores    []study.Score  `json:"scores"` // all together, then each agent
	Verdict   study.Verdict  `json:"verdict"`
	Requests  int            `json:"requests"`
	Unasked   int            `json:"unasked"`
	LastError string         `json:"last_error,omitempty"`
}

// Run judges.
func (c *judgeCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr)
	defer done()
	return c.run(ctx, stop, catalog.All(), stdout, os.Stderr)
}

func (c *judgeCmd) run(ctx context.Context, stop <-chan struct{}, registry envs.Registry, stdout, stderr io.Writer) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	db, cleanup, err := c.transitions(ctx, registry)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cleanup()) }()
	world, err := db.World(ctx)
	if err != nil {
		return err
	}
	out := judged{Env: world.Env, Params: world.Params, Bench: c.Bench}
	if c.DB != "" {
		out.Bench = c.DB
	}
	if c.Critic.Critic == "" {
		err = c.judgeModel(ctx, db, world, &out)
	} else {
		err = c.judgeCritic(ctx, stop, db, world, &out, stderr)
	}
	if err != nil {
		return err
	}
	out.Verdict = out.Scores[0].Verdict
	if c.JSON {
		return printJSON(stdout, out)
	}
	return out.print(stdout)
}

func (c *judgeCmd) check() error {
	if c.Critic.Critic == "openai" && c.Model == "" {
		c.Model = os.Getenv("MARLPIT_MODEL")
	}
	if c.Bench == "v1" {
		c.Transitions, c.Seed = 200, 1
	}
	switch {
	case c.Critic.Critic == "" && c.Model == "":
		return badCall(errors.New("name a --critic, or a fitted --model FILE"))
	case c.Env == "" && c.DB == "":
		return badCall(errors.New("name an --env, or a --db with transitions"))
	case c.Env != "" && c.DB != "":
		return badCall(errors.New("--env and --db exclude each other: a file knows its world"))
	case c.Transitions < 1 || c.Queries < 1 || c.Concurrency < 1:
		return badCall(errors.New("--transitions, --queries and --concurrency are at least 1"))
	}
	return nil
}

// transitions opens the file of --db, or collects into one that is thrown away.
func (c *judgeCmd) transitions(ctx context.Context, registry envs.Registry) (db *votes.DB, cleanup func() error, err error) {
	if c.DB != "" {
		db, err := votes.Open(ctx, c.DB)
		if err != nil {
			return nil, nil, badCall(err)
		}
		return db, db.Close, nil
	}
	got, err := collect(ctx, registry, c.Env, c.World.values(), study.CollectOptions{Transitions: c.Transitions, Seed: c.Seed})
	if err != nil {
		return nil, nil, err
	}
	if got.Collection.Solver != "exact" {
		return nil, nil, fmt.Errorf("nothing to judge against: %s", got.Collection.Solver)
	}
	dir, err := os.MkdirTemp("", "marlpit-judge-")
	if err != nil {
		return nil, nil, err
	}
	db, err = votes.Create(ctx, filepath.Join(dir, "votes.db"))
	if err == nil {
		_, err = db.Add(ctx, got.World, got.Collection, got.Transitions)
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return db, func() error { return errors.Join(db.Close(), os.RemoveAll(dir)) }, nil
}

func (c *judgeCmd) judgeCritic(ctx context.Context, stop <-chan struct{}, db *votes.DB, world votes.World, out *judged, stderr io.Writer) error {
	critic, err := c.Critic.build(c.Model, c.Budget, db, stop)
	if err != nil {
		return err
	}
	if err := critic.notePrompts(ctx, db); err != nil {
		return err
	}
	bar := newProgress(stderr)
	report, err := db.Label(ctx, critic.Critic, votes.LabelOptions{View: c.Critic.Viewpoint, Queries: c.Queries, Team: c.Shared,
		Concurrency: c.Concurrency, Stop: stop, Progress: bar.show})
	bar.end()
	if err != nil {
		return err
	}
	counts, err := db.Counts(ctx, report.Annotator, c.Shared, c.Queries)
	if err != nil {
		return err
	}
	out.Judged, out.Requests, out.Unasked, out.LastError = report.Annotator, critic.budget.Used().Requests, report.Unasked, report.LastError
	out.Scores = study.ScoreVotes(counts, world.Agents)
	return scored(out.Scores)
}

// judgeModel scores a fitted model's sign of Δσ.
func (c *judgeCmd) judgeModel(ctx context.Context, db *votes.DB, world votes.World, out *judged) error {
	f, err := os.Open(c.Model)
	if err != nil {
		return badCall(err)
	}
	model, err := prefer.Load(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", c.Model, err)
	}
	if err := model.CheckSpec(prefer.World(world)); err != nil {
		return fmt.Errorf("%s: %w", c.Model, err)
	}
	shared := model.Header.Kind == prefer.Shared
	examples, err := db.Examples(ctx, shared)
	if err != nil {
		return err
	}
	out.Judged, out.Scores = c.Model, study.ScoreModel(model, examples, world.Agents, false)
	return scored(out.Scores)
}

// scored is an error where there was no exact credit to compare with.
func scored(scores []study.Score) error {
	if scores[0].Questions == 0 {
		return errors.New("nothing to judge: no vote, or no exact credit in the file")
	}
	return nil
}

func (j judged) print(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "%s, judged on %s\n%s\n\n", j.Env, j.Bench, j.Judged); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 2, 4, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "agent\tquestions\tright\twrong\tundecided\taccuracy\t95 %\teven at 0\tfalse at 0\tinvalid\tflips\tverdict\t") // Flush reports
	for _, s := range j.Scores {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f %%\t%.0f–%.0f %%\t%d\t%d\t%d\t%.0f %%\t%s\t\n", s.Agent, s.Questions, s.Right, s.Wrong,
			s.Undecided, 100*s.Accuracy, 100*s.Low, 100*s.High, s.Even, s.False, s.Invalid, 100*s.FlipRate(), s.Verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if j.Unasked > 0 {
		_, err := fmt.Fprintf(out, "\n%d votes were not had; last error: %s\n", j.Unasked, j.LastError)
		return err
	}
	return nil
}
