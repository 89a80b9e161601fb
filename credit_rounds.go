package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"marlpit/envs"
	"marlpit/envs/catalog"
	"marlpit/shaping/process"
	"marlpit/shaping/study"
)

// sampleFlags say which rounds are wanted.
type sampleFlags struct {
	Proposals string `help:"What the agents propose: random (legal choices), solution (a right next action), mixed (half right, a quarter random, a quarter known to be wrong)." enum:"random,solution,mixed" default:"mixed"`
}

// roundsCmd is `marlpit rounds`.
type roundsCmd struct {
	Env              string      `required:"" help:"World to play, whose agents talk in rounds, as 'marlpit envs' lists them."`
	World            worldFlags  `embed:""`
	Rounds           int         `help:"Different rounds to record." default:"200"`
	Seed             uint64      `help:"Of the episodes and of what is proposed." default:"0"`
	Sample           sampleFlags `embed:""`
	Wrong            string      `help:"Add a wrong action that looks right to each round, for one agent in turn: by rule (the world's own), or by model (--critic; the world checks it, and marks it where it turns out right)." enum:"none,rule,model" default:"none"`
	Out              string      `required:"" type:"path" placeholder:"FILE" help:"Where the rounds go, as JSON lines."`
	Critic           string      `placeholder:"NAME" help:"--wrong model: who thinks of wrong actions: openai, or one of --critics."`
	DB               string      `name:"db" type:"path" placeholder:"FILE" help:"--wrong model: file of scores that keeps its answers, so that none is paid for twice."`
	roundCriticFlags `embed:""`
	JSON             bool `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (roundsCmd) Help() string {
	return `Plays a world and records different rounds of talk as critics see them, with what
is right in each by the task's own solution. A line is one round; docs/process.md
names the fields.

  marlpit rounds --env phone-v1 --rounds 500 --wrong rule --out rounds.jsonl`
}

// recordedRounds is what is printed.
type recordedRounds struct {
	Env    string         `json:"env"`
	Params map[string]any `json:"params"`
	Seed   uint64         `json:"seed"`
	Out    string         `json:"out"`
	study.Sampled
	By string `json:"adversary,omitempty"`
	spent
}

// Run records.
func (c *roundsCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr, nil)
	defer done()
	return c.run(ctx, stop, catalog.All(), stdout)
}

func (c *roundsCmd) run(ctx context.Context, stop <-chan struct{}, registry envs.Registry, stdout io.Writer) error {
	switch {
	case c.Rounds < 1:
		return badCall(errors.New("--rounds is at least 1"))
	case c.Wrong == "model" && c.DB == "":
		return badCall(errors.New("--wrong model needs a --db that keeps what the model is paid for"))
	case c.Wrong != "model" && (c.Critic != "" || c.DB != ""):
		return badCall(errors.New("--critic and --db mean something with --wrong model only"))
	}
	replaced, err := outPlace(c.Out, c.DB, c.Critics)
	if err != nil {
		return err
	}
	e, err := roundsWorld(registry, c.Env, c.World.values())
	if err != nil {
		return err
	}
	opt := study.SampleOptions{Rounds: c.Rounds, Seed: c.Seed, Proposals: c.Sample.Proposals}
	if c.Wrong != "none" {
		opt.Wrong = c.Wrong
	}
	out := recordedRounds{Env: c.Env, Params: e.Spec().Params, Seed: c.Seed, Out: c.Out}
	finish := func() error { return nil }
	if c.Wrong == "model" {
		if finish, err = c.adversary(ctx, stop, &opt, &out); err != nil {
			return err
		}
	}
	err = writeWhole(c.Out, func(w io.Writer) error {
		lines := bufio.NewWriter(w)
		var err error
		out.Sampled, err = study.SampleRounds(ctx, e, opt, func(r *process.Record) error {
			line, err := r.Line()
			if err == nil {
				_, err = lines.Write(line)
			}
			return err
		})
		return errors.Join(err, lines.Flush())
	})
	if err = errors.Join(err, finish()); err != nil {
		return err
	}
	return c.print(stdout, out, replaced)
}

// roundsWorld builds a world whose agents talk in rounds.
func roundsWorld(registry envs.Registry, id string, params map[string]any) (envs.Env, error) {
	entry, err := registry.Find(id)
	if err != nil {
		return nil, badCall(err)
	}
	e, err := entry.New(params)
	if err != nil {
		return nil, badCall(err)
	}
	if _, ok := envs.As[envs.Rounder](e); !ok {
		return nil, badCall(fmt.Errorf("%w: %s is played step by step", study.ErrNoRounds, id))
	}
	return e, nil
}

// adversary makes the model that thinks of wrong actions. done closes its file
// and notes what was spent.
func (c *roundsCmd) adversary(ctx context.Context, stop <-chan struct{}, opt *study.SampleOptions, out *recordedRounds) (done func() error, err error) {
	config, err := c.config(c.Critic)
	if err != nil {
		return nil, err
	}
	db, closing, err := scoresFile(ctx, c.DB)
	if err != nil {
		return nil, err
	}
	deps, budget, err := c.deps(config, db, stop, func(what string) { fmt.Fprintln(os.Stderr, what) })
	if err == nil {
		err = study.NotePrompts(ctx, db, study.RoundPrompts(config.Kind))
	}
	if err != nil {
		return nil, errors.Join(err, closing())
	}
	model, err := config.BuildAdversary(deps)
	if err != nil {
		return nil, errors.Join(badCall(err), closing())
	}
	opt.Adversary, out.By = model, model.AdversaryName()
	taken := &roundCritic{model, config, budget}
	return func() error { out.spent = taken.spent(); return closing() }, nil
}

func (c *roundsCmd) print(out io.Writer, r recordedRounds, replaced bool) error {
	if c.JSON {
		return printJSON(out, r)
	}
	_, err := fmt.Fprintf(out, "%d rounds of %s in %d episodes, %s\n%d of %d proposals are right\n", r.Rounds, r.Env, r.Episodes, writtenTo(r.Out, replaced), r.Right, r.Proposals)
	if c.Wrong != "none" && err == nil {
		_, err = fmt.Fprintf(out, "%d wrong actions (%d of them turned out right); left out: %d that can't be played, %d unreadable answers; none was to be had in %d rounds\n",
			r.Adversarial, r.TurnedRight, r.Unplayable, r.Unreadable, r.None)
	}
	return err
}
