package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"marlpit/shaping/process"
)

// scoreCmd is `marlpit score`.
type scoreCmd struct {
	Rounds           string `required:"" type:"path" placeholder:"FILE" help:"Rounds to score (JSON lines), as 'marlpit rounds' writes them, or steps recorded elsewhere in the shape of Mind2Web's: docs/process.md."`
	DB               string `name:"db" required:"" type:"path" placeholder:"FILE" help:"File the scores go to; made if there is none. A run that was interrupted goes on in it."`
	Critic           string `placeholder:"NAME[:KEY=VALUE,…]" help:"Who scores: one of --critics, or openai (any OpenAI-compatible endpoint; so with --base-url alone), solution (right by the task's own solution, errs at --error-rate), random."`
	roundCriticFlags `embed:""`
	Concurrency      int  `help:"Rounds under way at once." default:"4"`
	ShowPrompt       bool `help:"Print what would be asked about the first round, and ask nobody."`
	JSON             bool `name:"json" help:"Print the result as JSON."`
}

// Help says what the command does.
func (scoreCmd) Help() string {
	return `Has a critic give each proposal of recorded rounds a score from 0 to 1, one
request a round. Every answer is on disk before it counts; a round that was
answered for is not asked about again. What can't be used is counted as invalid,
and is no score. The file serves the scores (marlpit serve --scores FILE) and
makes preference pairs (marlpit export dpo).

  marlpit score --rounds rounds.jsonl --db scores.db --critic openai --base-url URL --model NAME
  marlpit score --rounds rounds.jsonl --db scores.db --critic solution --error-rate 0.2`
}

// scoredRounds is what is printed.
type scoredRounds struct {
	DB string `json:"db"`
	process.Report
	spent
}

// Run scores.
func (c *scoreCmd) Run(stdout io.Writer) error {
	ctx, stop, done := interruptible(os.Stderr, nil)
	defer done()
	return c.run(ctx, stop, stdout, os.Stderr)
}

func (c *scoreCmd) run(ctx context.Context, stop <-chan struct{}, stdout, stderr io.Writer) (err error) {
	if c.Concurrency < 1 {
		return badCall(errors.New("--concurrency is at least 1"))
	}
	config, err := c.config(c.Critic)
	if err != nil {
		return err
	}
	records, err := readRounds(c.Rounds)
	if err != nil {
		return err
	}
	path := c.DB
	if c.ShowPrompt {
		path, c.Offline = "", true // nothing is kept
	}
	db, cleanup, err := scoresFile(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cleanup()) }()
	tell := func(string) {}
	critic, err := c.build(ctx, config, db, stop, func(what string) { tell(what) })
	if err != nil {
		return err
	}
	if c.ShowPrompt {
		return showRound(stdout, critic.Critic, records[0])
	}
	bar, show := critic.progress(stderr)
	tell = bar.tell
	report, err := process.Run(ctx, db, critic.Critic, records, process.RunOptions{Concurrency: c.Concurrency, Stop: stop, Progress: show})
	bar.end()
	return errors.Join(c.print(stdout, scoredRounds{c.DB, report, critic.spent()}), err, unscored(report))
}

// unscored is an error where nothing was had of what was wanted.
func unscored(r process.Report) error {
	if r.Unasked > 0 && r.Asked == 0 && r.LastError != "" {
		return errors.New("no answer was had: " + r.LastError)
	}
	return nil
}

func showRound(stdout io.Writer, critic process.Critic, r *process.Record) error {
	text := fmt.Sprintf("%s\n--- %s puts no prompt to a model\n", r.Text, critic.Name())
	if s, ok := critic.(interface{ Show(*process.Record) string }); ok {
		text = s.Show(r)
	}
	_, err := io.WriteString(stdout, text)
	return err
}

func (c *scoreCmd) print(out io.Writer, r scoredRounds) error {
	if c.JSON {
		return printJSON(out, r)
	}
	_, err := fmt.Fprintf(out, "%s\n%d rounds: %d were scored before, %d now (%d valid, %d invalid), %d are left%s\n%v\n",
		r.Critic, r.Rounds, r.Before, r.Asked, r.Valid, r.Invalid, r.Unasked, because(r.Report), r.spent)
	return err
}

// because says why a run ended early.
func because(r process.Report) string {
	s := ""
	if r.Stopped != "" {
		s += "; " + r.Stopped
	}
	if r.LastError != "" {
		s += ": " + r.LastError
	}
	return s
}
