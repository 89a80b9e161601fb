package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/shaping/votes"
)

// judgeCmd is `marlpit judge`.
type judgeCmd struct {
	Env             string     `help:"World to judge in; not needed with --db, --bench or --rounds. In a world whose agents talk in rounds, critics of rounds are judged."`
	World           worldFlags `embed:""`
	Critic          []string   `sep:"none" placeholder:"NAME[:KEY=VALUE,…]" help:"Who is judged; may be repeated. One of --critics, or openai (any OpenAI-compatible endpoint), oracle (simulated: knows the exact credit, errs at --error-rate), rule (compares the words), human (votes collected elsewhere), coin, first; of rounds openai, solution (right by the task's own solution), random. Settings of this one alone, named as in a file of critics, follow a colon: oracle:error_rate=0.2,noise=per-text."`
	criticOptions   `embed:""`
	Model           string `placeholder:"NAME|FILE" env:"-" help:"With --critic openai the model's name at the endpoint (else MARLPIT_MODEL); without a critic, the file of a fitted model to judge."`
	DB              string `name:"db" type:"path" placeholder:"FILE" help:"Judge on this file's transitions, and keep the votes there. Without it, transitions are collected afresh and thrown away. With --bench, a file of the bench's own, which is made if there is none: a run that was interrupted goes on in it."`
	Bench           string `help:"Judge on the bank of questions of this version, which is the same for everybody: docs/critic-bench.md." enum:"v1," default:""`
	roundJudgeFlags `embed:""`
	Transitions     int         `help:"With --env: transitions, or rounds, to judge on." default:"200"`
	Seed            *uint64     `help:"Of the collection and of the order of questions (1). With --bench: judge on a bank of the same make drawn from this seed, in place of the public one."`
	Precision       float64     `help:"Ask no more once the accuracy on the pool of questions is known this well, with 95 % confidence; 0: ask everything." default:"0.05"`
	Queries         int         `help:"Votes of each transition and agent." default:"1"`
	Shared          bool        `help:"Judge questions about the team as a whole."`
	Concurrency     int         `help:"Questions under way at once." default:"4"`
	Budget          budgetFlags `embed:""`
	Out             string      `type:"path" placeholder:"FILE" help:"With --bench: write the result there, as JSON. A result on another bank or with other prompts is not overwritten."`
	Name            string      `help:"With --out: what the table calls the critic."`
	Note            string      `help:"With --out: what else there is to know of the critic, such as quantisation and the hash of its weights."`
	JSON            bool        `name:"json" help:"Print the result as JSON."`
	Parent          parentFlag  `embed:""`
}

// Help says what the command does.
func (judgeCmd) Help() string {
	return `Tells how often critics, or a fitted model, agree with the exact credit of each
agent's moves, before anybody trains on it. Ties, contradictions and preferences
where there is nothing to prefer are counted apart. "reversed" is worse than a
coin, "blind" can't be told from one; "too few" are fewer than five questions
with credit, "–" (in JSON "none") are none. Asking stops when enough is known:
five points cost at most about 300 questions of a pool of 500.

  marlpit judge --env two-switch-v1 --critic openai --base-url URL --model NAME --viewpoint plain --critic rule
  marlpit judge --env two-switch-v1 --model two-switch.credit
  marlpit judge --bench v1 --critic openai --base-url URL --model NAME --db bench.db --out NAME.json

Of critics of rounds it tells how often a score above one half means right and
one below it wrong, for each app and template; "too few" are fewer than five
right or five wrong proposals with such a score: docs/process.md.

  marlpit judge --env phone-v1 --critic openai --base-url URL --model NAME --db scores.db
  marlpit judge --rounds rounds.jsonl --critic openai --base-url URL --model NAME`
}

// judged is what is printed of one critic or model.
type judged struct {
	Env    string         `json:"env"`
	Params map[string]any `json:"params"`
	Bench  string         `json:"bench"`            // "fresh", or the vote file
	Critic string         `json:"critic,omitempty"` // its name in the file of critics, where that isn't its kind
	study.Judgement
}

// Run judges.
func (c *judgeCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr, c.Parent.stdin())
	defer done()
	return c.run(ctx, stop, catalog.All(), stdout, os.Stderr)
}

func (c *judgeCmd) run(ctx context.Context, stop <-chan struct{}, registry envs.Registry, stdout, stderr io.Writer) (err error) {
	if of, err := c.ofRounds(registry); err != nil {
		return err
	} else if of {
		return c.runRounds(ctx, stop, registry, stdout, stderr)
	}
	if err := c.check(); err != nil {
		return err
	}
	critics, err := c.critics()
	if err != nil {
		return err
	}
	if c.Bench != "" {
		return c.runBench(ctx, stop, registry, critics, stdout, stderr)
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
	var out []judged
	add := func(name string, j study.Judgement, err error) error {
		if err == nil {
			out = append(out, judged{Env: world.Env, Params: world.Params, Bench: c.pool(), Critic: name, Judgement: j})
		}
		return err
	}
	if len(critics) == 0 {
		j, judging := c.judgeModel(ctx, db, world)
		err = add("", j, judging)
	}
	for _, config := range critics {
		if err != nil {
			break
		}
		j, judging := c.judgeCritic(ctx, stop, db, config, stderr)
		err = add(config.OwnName(), j, judging)
	}
	return errors.Join(err, c.print(stdout, out))
}

// pool names where the questions come from.
func (c *judgeCmd) pool() string {
	if c.DB != "" {
		return c.DB
	}
	return fmt.Sprintf("%d transitions of seed %d", c.Transitions, c.seed())
}

func (c *judgeCmd) seed() uint64 {
	if c.Seed == nil {
		return 1
	}
	return *c.Seed
}

func (c *judgeCmd) check() error {
	switch {
	case len(c.Critic) == 0 && c.Model == "":
		return badCall(errors.New("name a --critic, or a fitted --model FILE"))
	case c.Bench != "" && (c.Env != "" || c.Shared):
		return badCall(errors.New("--bench has worlds and agents of its own: leave --env and --shared out"))
	case c.Bench != "" && len(c.Critic) == 0:
		return badCall(errors.New("--bench asks in words: name a --critic; a fitted model is judged with --env or --db"))
	case c.Out != "" && (c.Bench == "" || len(c.Critic) != 1):
		return badCall(errors.New("--out is the result of one critic on --bench"))
	case c.Env == "" && c.DB == "" && c.Bench == "":
		return badCall(errors.New("name an --env, a --db with transitions, or a --bench"))
	case c.Env != "" && c.DB != "":
		return badCall(errors.New("--env and --db exclude each other: a file knows its world"))
	case c.Env == "" && len(c.World.Param) > 0:
		return badCall(errors.New("--param goes with --env alone: a file and the bench know their worlds"))
	case c.Transitions < 1 || c.Queries < 1 || c.Concurrency < 1:
		return badCall(errors.New("--transitions, --queries and --concurrency are at least 1"))
	case !(c.Precision >= 0 && c.Precision < 1):
		return badCall(fmt.Errorf("--precision is a share from 0 up to 1, got %v", c.Precision))
	}
	return nil
}

// critics reads the names with their settings.
func (c *judgeCmd) critics() ([]study.CriticConfig, error) {
	var out []study.CriticConfig
	for _, text := range c.Critic {
		name, settings, set := strings.Cut(text, ":")
		config, err := c.config(name, "")
		if err == nil && set {
			if err = config.Set(settings); err != nil {
				err = badCall(err)
			}
		}
		if err != nil {
			return nil, err
		}
		if config.Kind == "openai" {
			if c.Model != "" && !strings.Contains(settings, "model=") {
				config.Model = c.Model
			} else if config.Model == "" {
				config.Model = os.Getenv("MARLPIT_MODEL")
			}
		}
		out = append(out, config)
	}
	return out, nil
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
	got, err := collect(ctx, registry, c.Env, c.World.values(), study.CollectOptions{Transitions: c.Transitions, Seed: c.seed()})
	if err != nil {
		return nil, nil, err
	}
	return scratch(ctx, func(db *votes.DB) error {
		_, err := db.Add(ctx, got.World, got.Collection, got.Transitions)
		return err
	})
}

// scratch makes a vote file that cleanup throws away.
func scratch(ctx context.Context, fill func(*votes.DB) error) (db *votes.DB, cleanup func() error, err error) {
	dir, err := os.MkdirTemp("", "marlpit-judge-")
	if err != nil {
		return nil, nil, err
	}
	db, err = votes.Create(ctx, filepath.Join(dir, "votes.db"))
	if err == nil {
		if err = fill(db); err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return db, func() error { return errors.Join(db.Close(), os.RemoveAll(dir)) }, nil
}

func (c *judgeCmd) judgeCritic(ctx context.Context, stop <-chan struct{}, db *votes.DB, config study.CriticConfig, stderr io.Writer) (study.Judgement, error) {
	critic, err := c.build(config, c.Budget, db, stop)
	if err != nil {
		return study.Judgement{}, err
	}
	if err := critic.compare(ctx, db, stderr); err != nil {
		return study.Judgement{}, err
	}
	opt := study.JudgeOptions{Seed: c.seed()}
	opt.View = config.Viewpoint
	return c.ask(ctx, stop, db, critic, opt, stderr)
}

// ask judges one critic in one viewpoint, and shows how far it is.
func (c *judgeCmd) ask(ctx context.Context, stop <-chan struct{}, db *votes.DB, critic *asked, opt study.JudgeOptions, stderr io.Writer) (study.Judgement, error) {
	if err := critic.note(ctx, db); err != nil {
		return study.Judgement{}, err
	}
	bar := newProgress(stderr)
	bar.spent = critic.spent
	opt.Precision, opt.Queries, opt.Team = c.Precision, c.Queries, c.Shared
	opt.Concurrency, opt.Stop, opt.Progress = c.Concurrency, stop, bar.show
	j, err := study.Judge(ctx, db, critic.Critic, opt)
	bar.end()
	if err == nil && j.Asked == 0 {
		err = errors.New("nothing to judge: no vote was had")
	}
	return j, err
}

// judgeModel scores a fitted model's sign of Δσ, on everything there is.
func (c *judgeCmd) judgeModel(ctx context.Context, db *votes.DB, world votes.World) (j study.Judgement, err error) {
	f, err := os.Open(c.Model)
	if err != nil {
		return j, badCall(err)
	}
	model, err := prefer.Load(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return j, fmt.Errorf("%s: %w", c.Model, err)
	}
	if err := model.CheckSpec(prefer.World(world)); err != nil {
		return j, fmt.Errorf("%s: %w", c.Model, err)
	}
	return study.JudgeModel(ctx, db, model, model.Header.Kind == prefer.Shared, c.Model)
}
